package import CloudModel
package import Crypto
package import Foundation
import GRDB

/// The public half of a server-to-server key (reference B §4.1).
package struct ServerKey: Sendable {
    /// 64 hex digits, as clients send it.
    package let id: String
    package let container: Int64
    package let containerName: String
    package let environment: ContainerEnvironment
    package let name: String
    package let publicKey: P256.Signing.PublicKey
    /// Whom records written with the key are attributed to.
    package let userRecordName: String
    package let revoked: Bool
    package let created: Date

    init(row: Row) throws {
        id = row["id"]
        container = row["container"]
        containerName = row["containerName"]
        environment = try ContainerEnvironment.read(row)
        name = row["name"]
        publicKey = try P256.Signing.PublicKey(pemRepresentation: row["publicKey"])
        userRecordName = row["userRecordName"]
        revoked = row["revoked"]
        created = Date(timeIntervalSince1970: row["created"])
    }

    static let select = """
        SELECT serverKey.*, container.name AS containerName FROM serverKey JOIN container ON container.id = container
        """

    static func find(id: String, in db: Database) throws -> ServerKey? {
        try Row.fetchOne(db, sql: select + " WHERE serverKey.id = ? AND NOT revoked", arguments: [id])
            .map(ServerKey.init(row:))
    }
}

extension AccountStore {
    /// Registers a public key and makes its id.
    ///
    /// - Parameter pem: a P-256 SubjectPublicKeyInfo, `BEGIN PUBLIC KEY`.
    /// - Throws: `BAD_REQUEST` for anything else, `NOT_FOUND` for an unknown container.
    package func addServerKey(
        container: String, environment: ContainerEnvironment, name: String, pem: String
    ) async throws -> ServerKey {
        guard let publicKey = try? P256.Signing.PublicKey(pemRepresentation: pem) else {
            throw ServerError.badRequest(
                "the key is not a P-256 public key in PEM form; 'openssl ec -in eckey.pem -pubout' prints one")
        }
        let id = RandomText.hex(bytes: 32)
        let key = try await pool.write { [created = clock()] db in
            let container = try Container.require(name: container, in: db)
            try db.execute(
                sql: """
                    INSERT INTO serverKey (id, container, environment, name, publicKey, userRecordName, created)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    id, container.id, environment.rawValue, name, publicKey.pemRepresentation,
                    RandomText.userRecordName(), created.timeIntervalSince1970,
                ])
            return try ServerKey.find(id: id, in: db)
        }
        guard let key else { throw ServerError(.internalError, "the key was not stored") }
        return key
    }

    /// The keys of one container, or of all, revoked ones too; by container, then age.
    package func serverKeys(container: String? = nil) async throws -> [ServerKey] {
        try await pool.read { db in
            if let container { _ = try Container.require(name: container, in: db) }
            let sql =
                ServerKey.select + " WHERE ? IS NULL OR containerName = ? ORDER BY containerName, serverKey.created"
            return try Row.fetchAll(db, sql: sql, arguments: [container, container]).map(ServerKey.init(row:))
        }
    }

    /// Refuses the key from now on. It stays listed, since records name it as their author.
    package func revokeServerKey(id: String) async throws {
        try await pool.write { db in
            try db.execute(sql: "UPDATE serverKey SET revoked = 1 WHERE id = ?", arguments: [id])
            guard db.changesCount > 0 else {
                throw ServerError(.notFound, "there is no key '\(id)'; 'cumulus key list' shows them")
            }
        }
    }
}
