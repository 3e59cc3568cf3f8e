package import CloudModel
import CloudStore

/// Operations on server-to-server keys, with which programs sign requests.
package enum ServerKeyOperations {
    package static let list = AdminOperation<Page<ServerKeyInfo>>(
        .get, "keys", .operations, takes: ["container", "after", "limit"]
    ) { call in
        let keys = try await call.accounts.serverKeys.list(container: try call.arguments.optionalText("container"))
        return try call.arguments.page(of: keys.map(ServerKeyInfo.init)) {
            ListPlace($0.container, ListPlace.number($0.created.milliseconds), $0.keyID)
        }
    }

    /// Registers a public key in PEM form. Holders of the private key read and write the public database, so both record scopes
    /// are required.
    package static let add = AdminOperation<ServerKeyInfo>(
        .post, "keys", .operations, .recordsRead, .recordsWrite,
        takes: ["container", "environment", "name", "publicKey"],
        audit: .change("added a server key")
    ) { call in
        let arguments = call.arguments
        return ServerKeyInfo(
            try await call.accounts.serverKeys.add(
                container: try arguments.text("container"), environment: try arguments.environment(),
                name: try arguments.text("name"), pem: try arguments.text("publicKey"),
                maker: call.identity.maker))
    }

    package static let revoke = AdminOperation<Done>(
        .delete, "keys/{keyID}", .operations, audit: .change("revoked a server key")
    ) { call in
        try await call.accounts.serverKeys.revoke(id: try call.arguments.text("keyID"))
        return Done()
    }
}

package struct ServerKeyInfo: Codable, Hashable, Sendable {
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
