package import CloudAccounts
import CloudModel

extension DatabaseCall {
    /// Finds users by handle, as far as they are discoverable; searchers always find themselves.
    package func directory(_ handles: [UserHandle], searcher: String) async throws -> [DirectoryEntry?] {
        let container = identity.container
        return try await accounts.people.users(handles, container: container.id).map { entry in
            container.discoverableUsers || entry?.userRecordName == searcher ? entry : nil
        }
    }

    /// All other users of the container; the server has no address books (reference B §5.3).
    func contacts(of searcher: String) async throws -> [DirectoryEntry] {
        guard identity.container.discoverableUsers else { return [] }
        // Fetches an extra user to make up for the searcher.
        let users = try await accounts.people.users(container: identity.container.id, limit: limits.usersPerRequest + 1)
        return Array(users.filter { $0.userRecordName != searcher }.prefix(limits.usersPerRequest))
    }

    /// Answers `users/lookup/email` and `users/lookup/id`.
    func lookUpUsers(named key: UserHandleKey) async throws -> JSONWriter {
        let searcher = try searcherName()
        let handles = try handles("users", named: [key])
        let found = try await directory(handles, searcher: searcher)
        return JSONWriter.users { json in
            for (handle, entry) in zip(handles, found) {
                if let entry {
                    json.userDictionary(entry, foundBy: handle)
                } else {
                    json.userNotFound(handle)
                }
            }
        }
    }
}
