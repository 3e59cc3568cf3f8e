/// Users of an environment, with their storage.
package protocol UserStore: Sendable {
    /// Creates the user's record in the public database if missing (reference B §5.0).
    func ensureUser(_ recordName: String) async throws

    /// True if the user's record is known to exist, without reading the database.
    func knowsUser(_ recordName: String) -> Bool

    /// The storage of an owner; nil for all owners together.
    func usage(owner: String?) async throws -> Usage
}
