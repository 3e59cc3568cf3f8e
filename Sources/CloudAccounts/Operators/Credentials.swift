import CloudEngine
import CloudModel
import CloudSQL

/// Credentials of all kinds, by their makers.
package struct Credentials: Sendable {
    let database: AccountDatabase

    /// Valid credentials that `maker` made directly or through credentials made earlier.
    package func made(by maker: CredentialMaker) async throws -> [MadeCredential] {
        let now = database.now()
        return try await database.pool.read { try MadeCredentials(by: maker, now: now).all(in: $0) }
    }

    /// Revokes a credential of any kind. Does nothing if it is already gone.
    ///
    /// - Throws: `ACCESS_DENIED` for the session of an operator beyond reach; `CONFLICT` for the last owner.
    package func revoke(_ credential: MadeCredential, within reach: AccountReach) async throws {
        do {
            switch credential.kind {
            case .managementToken: try await ManagementTokens(database: database).revoke(id: Int64(credential.id) ?? 0)
            case .apiToken: try await APITokens(database: database).revoke(id: Int64(credential.id) ?? 0)
            case .serverKey: try await ServerKeys(database: database).revoke(id: credential.id)
            case .webhook: try await Webhooks(database: database).remove(id: Int64(credential.id) ?? 0)
            case .session: try await WebSessions(database: database).revoke(id: credential.id, within: reach)
            case .operator: try await Operators(database: database).remove(email: credential.id)
            }
        } catch let error as ServerError where error.code == .notFound {}
    }
}
