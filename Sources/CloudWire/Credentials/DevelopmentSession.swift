package import CloudAccounts
package import CloudModel

/// `POST /auth/dev/session`: a web auth token for any email address. The route exists in `--dev` only.
package struct DevelopmentSession: Sendable {
    /// The body limit in bytes.
    package static let largestBody = 64 << 10

    private let accounts: AccountStore

    package init(accounts: AccountStore) {
        self.accounts = accounts
    }

    /// Signs the account in; a missing container or account is created.
    ///
    /// - Parameter body: `{"container", "environment", "email"}`.
    /// - Throws: `BAD_REQUEST` naming the field at fault.
    package func respond(_ body: JSONObject) async throws -> JSONWriter {
        let name = try text("container", in: body)
        try Container.check(name: name)
        guard let environment = ContainerEnvironment(rawValue: try text("environment", in: body).lowercased()) else {
            throw ServerError.badRequest("environment: must be 'development' or 'production'")
        }
        let email = try text("email", in: body)
        try await ensureAccount(email: email)
        let container = try await accounts.containers.ensure(name: name)
        let session = try await accounts.sessions.create(
            email: email, container: container, environment: environment, allowsUnconfirmed: true)
        var json = JSONWriter()
        json.object {
            $0.member("ckWebAuthToken", session.token)
            $0.member("userRecordName", session.userRecordName)
        }
        return json
    }

    /// Of two concurrent requests with the same new address, the second finds the first's account.
    private func ensureAccount(email: String) async throws {
        do {
            if try await accounts.users.find(email: email) == nil {
                _ = try await accounts.users.create(email: email)
            }
        } catch let error as ServerError where error.code == .exists {}
    }

    private func text(_ key: String, in body: JSONObject) throws -> String {
        guard let value = body[key] else { throw ServerError.badRequest("\(known: key): missing; it must be a string") }
        guard let text = value.string else {
            throw ServerError.badRequest("\(known: key): must be a string, not \(known: value.kind)")
        }
        return text
    }
}
