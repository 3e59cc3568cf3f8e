package import CloudModel
import Foundation
import GRDB

/// A container and the switches an operator can turn on it.
package struct Container: Hashable, Sendable {
    /// Never used again, even after the container is deleted.
    package let id: Int64
    package let name: String
    /// Whether saving a record may add types and fields in development.
    package let justInTimeSchema: Bool
    /// Whether system fields need an index declared before a query may use them, as in the original service.
    package let strictIndexes: Bool
    /// Whether users of the container find each other (reference B §5.3).
    package let discoverableUsers: Bool
    /// Whether a user's second query subscription with the same record type and `firesOn` is refused, as in the
    /// original service (reference B §6.5).
    package let uniqueSubscriptions: Bool

    package init(
        id: Int64, name: String, justInTimeSchema: Bool = true, strictIndexes: Bool = false,
        discoverableUsers: Bool = true, uniqueSubscriptions: Bool = false
    ) {
        self.id = id
        self.name = name
        self.justInTimeSchema = justInTimeSchema
        self.strictIndexes = strictIndexes
        self.discoverableUsers = discoverableUsers
        self.uniqueSubscriptions = uniqueSubscriptions
    }

    /// Refuses a name no container can have.
    package static func check(name: String) throws(ServerError) {
        let allowed = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard allowed, (1...255).contains(name.utf8.count) else {
            throw .badRequest("container: a name has 1 to 255 characters of A-Z, a-z, 0-9, '.', '_' and '-'")
        }
    }

    init(row: Row) {
        self.init(
            id: row["id"], name: row["name"], justInTimeSchema: row["justInTimeSchema"],
            strictIndexes: row["strictIndexes"], discoverableUsers: row["discoverableUsers"],
            uniqueSubscriptions: row["uniqueSubscriptions"])
    }

    static func find(name: String, in db: Database) throws -> Container? {
        try Row.fetchOne(db, sql: "SELECT * FROM container WHERE name = ?", arguments: [name]).map(Container.init(row:))
    }

    /// The container of this name, or an error that tells what to do.
    static func require(name: String, in db: Database) throws -> Container {
        guard let container = try find(name: name, in: db) else {
            throw ServerError(.notFound, "container '\(name)' does not exist; 'cumulus container create' makes one")
        }
        return container
    }
}

extension AccountStore {
    /// Every container, by name.
    package func containers() async throws -> [Container] {
        try await pool.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM container ORDER BY name").map(Container.init(row:))
        }
    }

    /// The container with this row id; nil when it has been deleted.
    package func container(id: Int64) async throws -> Container? {
        try await pool.read { db in
            try Row.fetchOne(db, sql: "SELECT * FROM container WHERE id = ?", arguments: [id]).map(Container.init(row:))
        }
    }

    /// The container of this name.
    ///
    /// - Throws: `NOT_FOUND` when there is none.
    package func requireContainer(named name: String) async throws -> Container {
        try await pool.read { try Container.require(name: name, in: $0) }
    }

    /// - Throws: `EXISTS` when there is one of that name, `BAD_REQUEST` for a name none can have.
    package func createContainer(name: String) async throws -> Container {
        try Container.check(name: name)
        return try await pool.write { [created = clock()] db in
            guard try Container.find(name: name, in: db) == nil else {
                throw ServerError(.exists, "container '\(name)' exists already")
            }
            return try Self.insertContainer(name: name, created: created, in: db)
        }
    }

    /// The container of this name, made when it is not there.
    package func ensureContainer(name: String) async throws -> Container {
        try Container.check(name: name)
        if let container = try reader().container(named: name) { return container }
        return try await pool.write { [created = clock()] db in
            try Container.find(name: name, in: db) ?? Self.insertContainer(name: name, created: created, in: db)
        }
    }

    /// Turns switches; those left nil stay as they are.
    package func updateContainer(
        name: String, justInTimeSchema: Bool? = nil, strictIndexes: Bool? = nil, discoverableUsers: Bool? = nil,
        uniqueSubscriptions: Bool? = nil
    ) async throws -> Container {
        try await pool.write { db in
            try db.execute(
                sql: """
                    UPDATE container SET justInTimeSchema = coalesce(?, justInTimeSchema),
                        strictIndexes = coalesce(?, strictIndexes),
                        discoverableUsers = coalesce(?, discoverableUsers),
                        uniqueSubscriptions = coalesce(?, uniqueSubscriptions)
                    WHERE name = ?
                    """,
                arguments: [justInTimeSchema, strictIndexes, discoverableUsers, uniqueSubscriptions, name])
            return try Container.require(name: name, in: db)
        }
    }

    /// Deletes a container with its tokens, keys and sessions. Its record files are the caller's to remove.
    package func deleteContainer(name: String) async throws -> Container {
        try await pool.write { db in
            let container = try Container.require(name: name, in: db)
            try db.execute(sql: "DELETE FROM container WHERE id = ?", arguments: [container.id])
            return container
        }
    }

    private static func insertContainer(name: String, created: Date, in db: Database) throws -> Container {
        try db.execute(
            sql: "INSERT INTO container (name, secret, created) VALUES (?, ?, ?)",
            arguments: [name, Data(RandomText.bytes(32)), created.timeIntervalSince1970])
        return try Container.require(name: name, in: db)
    }
}
