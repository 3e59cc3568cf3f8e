package import CloudModel
package import CloudStore

/// The credentials that a management token or an operator has made: told when that one is revoked, and revoked with it
/// where that is asked for.
struct Revocation: Sendable {
    let maker: CredentialMaker
    let call: OperationCall

    /// Times that what was made meanwhile is looked for.
    private static let rounds = 10
    /// Credentials that one answer lists.
    private static let mostListed = 100

    func all() async throws -> [MadeCredential] { try await call.accounts.made(by: maker) }

    /// Revokes the maker, and what it has made where the argument `made` asks for that.
    ///
    /// - Throws: `ACCESS_DENIED` for a kind that needs another scope, before anything is revoked.
    func revoke(_ revokeMaker: () async throws -> Void) async throws -> RevocationInfo {
        let isDeep = try call.arguments.flag("made") ?? false
        if isDeep { for credential in try await all() { try requireRight(to: credential.kind) } }
        try await revokeMaker()
        let found = try await all()
        let left = isDeep ? try await revokeAll(found) : found
        return RevocationInfo(
            made: found.prefix(Self.mostListed).map(MadeInfo.init), count: found.count, areRevoked: left.isEmpty)
    }

    private func requireRight(to kind: MadeCredential.Kind) throws(ServerError) {
        switch kind {
        case .managementToken, .apiToken, .serverKey, .webhook: break
        case .session: try call.identity.require([.people])
        case .operator: try call.identity.require(ManagementScope.allCases)
        }
    }

    /// - Returns: what is left, which is the last owner at most.
    private func revokeAll(_ found: [MadeCredential]) async throws -> [MadeCredential] {
        var left = found
        for _ in 0..<Self.rounds where !left.isEmpty {
            for credential in left {
                try requireRight(to: credential.kind)
                do { try await call.accounts.revoke(credential, within: call.identity.reach) } catch let error
                    as ServerError where error.code == .conflict
                {}
            }
            left = try await all()
        }
        return left
    }
}

/// A credential that another has made.
package struct MadeInfo: Codable, Hashable, Sendable {
    package let kind: MadeCredential.Kind
    /// As the operation that revokes it takes it.
    package let id: String
    package let name: String
    /// Nil for what is about all containers.
    package let container: String?

    init(_ credential: MadeCredential) {
        kind = credential.kind
        id = credential.id
        name = credential.name
        container = credential.container
    }
}

/// The outcome of a revocation: what the revoked one had made.
package struct RevocationInfo: Codable, Hashable, Sendable {
    /// The first 100.
    package let made: [MadeInfo]
    /// The number of them all.
    package let count: Int
    /// Whether none of them is good any more.
    package let areRevoked: Bool
}
