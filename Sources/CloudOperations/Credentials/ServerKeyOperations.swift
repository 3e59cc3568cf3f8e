import CloudAccounts
package import CloudModel

/// Operations on server-to-server keys, with which programs sign requests.
package enum ServerKeyOperations {
    package static let list = AdminOperation<ContainerPage, Page<ServerKeyInfo>>(
        .get("keys", .operations), OperationText("listServerKeys", "The server-to-server keys, revoked ones too.")
    ) { call, input in
        let keys = try await call.accounts.serverKeys.list(container: input.container)
        return try input.page.page(of: keys.map(ServerKeyInfo.init)) {
            ListPlace($0.container, ListPlace.number($0.created.milliseconds), $0.keyID)
        }
    }

    /// Registers a public key in PEM form. Holders of the private key read and write the public database, so both record scopes
    /// are required.
    package static let add = AdminOperation<NewServerKey, ServerKeyInfo>(
        .post("keys", .operations, .recordsRead, .recordsWrite),
        OperationText("addServerKey", "Register a public key."), audit: .change("added a server key")
    ) { call, input in
        ServerKeyInfo(
            try await call.accounts.serverKeys.add(
                container: input.place.container, environment: input.place.environment,
                name: input.name, pem: input.publicKey,
                maker: call.identity.maker))
    }

    package static let revoke = AdminOperation<ServerKeyChoice, Done>(
        .delete("keys/{keyID}", .operations), OperationText("revokeServerKey", "Refuse a key from now on."),
        audit: .change("revoked a server key")
    ) { call, input in
        try await call.accounts.serverKeys.revoke(id: input.keyID)
        return Done()
    }
}

package struct NewServerKey: OperationInput {
    package let place: EnvironmentAddress
    package let name: String
    package let publicKey: String

    package static let fields = InputFields(
        Self.init, .group(\.place), .text("name", \.name, "A name to know it by."),
        .text("publicKey", \.publicKey, "A P-256 public key in PEM form."))
}

package struct ServerKeyChoice: OperationInput {
    package let keyID: String

    package static let fields = InputFields(Self.init, .text("keyID", \.keyID, "The key ID."))
}

package struct ServerKeyInfo: Codable, Hashable, OperationAnswer, DocumentedValue {
    package static let about = AnswerText(
        "AdminServerKey", "A server-to-server key.")

    package let keyID: String
    package let container: String
    package let environment: ContainerEnvironment
    package let name: String
    package let userRecordName: String
    package let revoked: Bool
    package let created: Timestamp

    init(_ key: ServerKey) {
        keyID = key.id
        container = key.containerName
        environment = key.environment
        name = key.name
        userRecordName = key.userRecordName
        revoked = key.revoked
        created = key.created
    }
}
