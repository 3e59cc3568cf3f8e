import CloudEngine

/// Renames share handles for another environment: a handle begins with the environment's routing key, which resolves
/// links (reference B §9.10).
struct Handles: Hashable, Sendable {
    /// The exported environment's routing key.
    let old: String
    /// The importing environment's routing key; an equal key keeps all links valid.
    let new: String

    /// Handles with a foreign prefix stay unchanged.
    func moved(_ handle: String) -> String {
        guard old != new, handle.hasPrefix(old), handle.utf8.count == ShortGUID.length else { return handle }
        return new + handle.dropFirst(old.count)
    }
}
