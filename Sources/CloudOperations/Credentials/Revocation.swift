package import CloudAccounts
import CloudModel

/// The credentials made by a management token or an operator: listed when the maker is revoked, and revoked too on request.
struct Revocation: Sendable {
    let maker: CredentialMaker
    /// Whether the maker's credentials are revoked too.
    let isDeep: Bool
    let call: OperationCall

    /// Rounds of looking for credentials made during the revocation.
    private static let rounds = 10
    /// Limit on credentials listed in an answer.
    private static let mostListed = 100

    func all() async throws -> [MadeCredential] { try await call.accounts.credentials.made(by: maker) }

    /// Credentials whose IDs and names the caller may see. Sessions and operators are people, so their addresses need the scope
    /// `people`.
    func visible(_ found: [MadeCredential]) -> [MadeCredential] {
        if call.identity.scopes.contains(.people) { return found }
        return found.filter { ![.session, .operator].contains($0.kind) }
    }

    /// Revokes the maker, and if `isDeep` also its credentials. Each revoked credential gets its own audit entry.
    ///
    /// - Parameter action: the audit action for the maker, written here if an error follows its revocation.
    /// - Throws: `ACCESS_DENIED` for a credential out of reach or scope, before anything is revoked.
    func revoke(_ action: String, _ revokeMaker: () async throws -> Void) async throws -> RevocationInfo {
        if isDeep { for credential in try await all() { try await requireRight(to: credential) } }
        try await revokeMaker()
        do {
            let found = try await all()
            let left = isDeep ? try await revokeAll(found) : found
            return RevocationInfo(
                made: visible(found).prefix(Self.mostListed).map(MadeInfo.init), count: found.count,
                areRevoked: left.isEmpty)
        } catch {
            try? await call.note(action)
            throw error
        }
    }

    private func requireRight(to credential: MadeCredential) async throws {
        switch credential.kind {
        case .managementToken, .apiToken, .serverKey, .webhook: break
        case .session:
            try call.identity.require([.people])
            // By address, as in the session's own revocation.
            guard let account = try await call.accounts.users.find(named: credential.name) else { return }
            try await call.accounts.users.check(account, within: call.identity.reach)
        case .operator: try call.identity.require(ManagementScope.allCases)
        }
    }

    /// - Returns: the remaining credentials: the last owner, and credentials that left the caller's reach meanwhile.
    private func revokeAll(_ found: [MadeCredential]) async throws -> [MadeCredential] {
        var left = found
        for _ in 0..<Self.rounds where !left.isEmpty {
            for credential in left {
                do {
                    try await requireRight(to: credential)
                    try await call.accounts.credentials.revoke(credential, within: call.identity.reach)
                } catch let error as ServerError where [.conflict, .accessDenied].contains(error.code) { continue }
                try await call.note(
                    "revoked what a maker had made",
                    subject: "\(credential.kind.rawValue) \(credential.id) (\(credential.name))")
            }
            left = try await all()
        }
        return left
    }
}

/// A credential made by another credential or an operator.
package struct MadeInfo: Codable, Hashable, DocumentedValue {
    package static let about = AnswerText(
        "AdminMade", "A credential made by a management token or an operator.",
        [
            "id": "The ID in the form that the revoking operation takes."
        ])

    package let kind: MadeCredential.Kind
    /// The ID in the form that the revoking operation takes.
    package let id: String
    package let name: String
    /// Nil for credentials that cover all containers.
    package let container: String?

    init(_ credential: MadeCredential) {
        kind = credential.kind
        id = credential.id
        name = credential.name
        container = credential.container
    }
}

/// The result of a revocation: the credentials of the revoked maker.
package struct RevocationInfo: Codable, Hashable, OperationAnswer, DocumentedValue {
    package static let about = AnswerText(
        "AdminRevocation", "The result of a revocation: the credentials of the revoked maker.",
        [
            "made": "The first 100 credentials; sessions and operators only with the scope people.",
            "count": "The number of all credentials.",
            "areRevoked": "Whether all credentials are now revoked.",
        ])

    /// The first 100 made credentials; sessions and operators only with the scope `people`.
    package let made: [MadeInfo]
    /// The number of all made credentials.
    package let count: Int
    /// Whether all made credentials are now revoked.
    package let areRevoked: Bool
}
