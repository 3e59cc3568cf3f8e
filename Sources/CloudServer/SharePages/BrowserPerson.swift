import CloudModel
import CloudStore

extension BrowserSession {
    /// The person signed in with the browser, as sharing knows them in a container. They need not have been there
    /// before.
    func person(in container: Container, accounts: AccountStore) async throws -> Person {
        try await accounts.person(
            userRecordName: try await userRecordName(in: container), container: container.id)
    }
}
