import CloudEngine
package import CloudModel
import CloudSQL
package import CloudCrypto

/// The public half of a server-to-server key (reference B §4.1).
package struct ServerKey: Sendable {
    /// 64 hex digits.
    package let id: String
    package let container: Int64
    package let containerName: String
    package let environment: ContainerEnvironment
    package let name: String
    package let publicKey: P256.Signing.PublicKey
    /// The author of records written with the key.
    package let userRecordName: String
    package let revoked: Bool
    package let created: Timestamp

    /// - Parameter row: a row of ``select``.
    init(row: SQLRow) throws {
        id = row.text(0)
        container = row.integer(1)
        containerName = row.text(2)
        environment = try ContainerEnvironment.read(row, 3)
        name = row.text(4)
        publicKey = try P256.Signing.PublicKey(pemRepresentation: row.text(5))
        userRecordName = row.text(6)
        revoked = row.bool(7)
        created = row.timestamp(seconds: 8)
    }

    static let select = """
        SELECT serverKey.id, serverKey.container, container.name AS containerName, serverKey.environment,
            serverKey.name, serverKey.publicKey, serverKey.userRecordName, serverKey.revoked, serverKey.created
        FROM serverKey JOIN container ON container.id = container
        """

    static func find(id: String, in db: SQLConnection) throws -> ServerKey? {
        try db.first(select + " WHERE serverKey.id = ? AND revoked = 0", .text(id), read: ServerKey.init(row:))
    }
}

/// The server-to-server keys of all containers.
package struct ServerKeys: Sendable {
    let database: AccountDatabase

    /// Registers a public key under a new id.
    ///
    /// - Parameter pem: a P-256 SubjectPublicKeyInfo, `BEGIN PUBLIC KEY`.
    /// - Throws: `BAD_REQUEST` for other keys, `NOT_FOUND` for an unknown container.
    package func add(
        container: String, environment: ContainerEnvironment, name: String, pem: String, maker: CredentialMaker? = nil
    ) async throws -> ServerKey {
        guard let publicKey = try? P256.Signing.PublicKey(pemRepresentation: pem) else {
            throw ServerError.badRequest(
                "the key is not a P-256 public key in PEM form; 'openssl ec -in eckey.pem -pubout' prints one")
        }
        let id = RandomText.hex(bytes: 32)
        let key = try await database.pool.write { [created = database.now()] db in
            let container = try Container.require(name: container, in: db)
            try db.run(
                """
                INSERT INTO serverKey (id, container, environment, name, publicKey, userRecordName, created, maker)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """, .text(id), .integer(container.id), .text(environment.rawValue), .text(name),
                .text(publicKey.pemRepresentation), .text(RandomText.userRecordName()),
                .seconds(created), .text(optional: maker?.text))
            return try ServerKey.find(id: id, in: db)
        }
        guard let key else { throw ServerError(.internalError, "the key was not stored", .server(.fault)) }
        return key
    }

    /// Keys of one container, or of all containers if `container` is nil, including revoked keys; by container, then age.
    package func list(container: String? = nil) async throws -> [ServerKey] {
        try await database.pool.read { db in
            if let container { _ = try Container.require(name: container, in: db) }
            let sql =
                ServerKey.select
                + " WHERE CAST(? AS TEXT) IS NULL OR container.name = ? ORDER BY container.name, serverKey.created"
            return try db.all(
                sql, .text(optional: container), .text(optional: container), read: ServerKey.init(row:))
        }
    }

    /// Revokes a key. It stays listed, because records name it as their author.
    package func revoke(id: String) async throws {
        try await database.pool.write { db in
            guard try db.run("UPDATE serverKey SET revoked = 1 WHERE id = ?", .text(id)) > 0 else {
                throw ServerError(.notFound, "there is no key '\(id)'; 'cumulus key list' shows them", .missing(.key))
            }
        }
    }
}
