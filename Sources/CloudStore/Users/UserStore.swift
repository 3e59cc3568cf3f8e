/// The users of an environment, and what they store.
package protocol UserStore: Sendable {
    /// Sees to it that the user's own record exists (reference B §5.0).
    func ensureUser(_ recordName: String) async throws

    /// True if the user's own record is known to exist, without a look at the database.
    func knowsUser(_ recordName: String) -> Bool

    /// The storage of an owner; nil means everybody together.
    func usage(owner: String?) async throws -> Usage
}
