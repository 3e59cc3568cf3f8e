import CloudEngine
package import CloudModel
import CloudSQL

/// A container and its settings.
package struct Container: Hashable, Sendable {
    /// Never reused, even after the container is deleted.
    package let id: Int64
    package let name: String
    /// True if saving a record may add types and fields in development.
    package let justInTimeSchema: Bool
    /// True if queries on system fields need a declared index, as in CloudKit.
    package let strictIndexes: Bool
    /// True if users of the container can find each other (reference B §5.3).
    package let discoverableUsers: Bool
    /// True if a user's second query subscription with the same record type and `firesOn` is refused, as in CloudKit
    /// (reference B §6.5).
    package let uniqueSubscriptions: Bool
    /// True if a failed atomic batch is answered with status 400, as documented, instead of CloudKit's observed 200
    /// (reference A §4.4).
    package let atomicErrorStatus: Bool

    package init(
        id: Int64, name: String, justInTimeSchema: Bool = true, strictIndexes: Bool = false,
        discoverableUsers: Bool = true, uniqueSubscriptions: Bool = false, atomicErrorStatus: Bool = false
    ) {
        self.id = id
        self.name = name
        self.justInTimeSchema = justInTimeSchema
        self.strictIndexes = strictIndexes
        self.discoverableUsers = discoverableUsers
        self.uniqueSubscriptions = uniqueSubscriptions
        self.atomicErrorStatus = atomicErrorStatus
    }

    /// Throws `BAD_REQUEST` for an invalid container name.
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

    /// - Parameter row: a row that begins with ``columns``.
    init(row: SQLRow) {
        self.init(
            id: row.integer(0), name: row.text(1), justInTimeSchema: row.bool(2), strictIndexes: row.bool(3),
            discoverableUsers: row.bool(4), uniqueSubscriptions: row.bool(5), atomicErrorStatus: row.bool(6))
    }

    /// Seven columns.
    static let columns = """
        container.id, container.name, container.justInTimeSchema, container.strictIndexes, container.discoverableUsers,
        container.uniqueSubscriptions, container.atomicErrorStatus
        """

    static func find(name: String, in db: SQLConnection) throws -> Container? {
        try db.first("SELECT \(columns) FROM container WHERE name = ?", .text(name), read: Container.init(row:))
    }

    /// The container of this name; the error for a missing container tells the operator how to create it.
    static func require(name: String, in db: SQLConnection) throws -> Container {
        guard let container = try find(name: name, in: db) else {
            throw ServerError(
                .notFound, "container '\(name)' does not exist; 'cumulus container create' makes one",
                .missing(.container))
        }
        return container
    }
}

/// The containers of a server.
package struct Containers: Sendable {
    let database: AccountDatabase

    /// Every container, by name.
    package func all() async throws -> [Container] {
        try await database.pool.read { db in
            try db.all("SELECT \(Container.columns) FROM container ORDER BY name", read: Container.init(row:))
        }
    }

    /// The container with this row id; nil if deleted.
    package func find(id: Int64) async throws -> Container? {
        try await database.pool.read { db in
            try db.first(
                "SELECT \(Container.columns) FROM container WHERE id = ?", .integer(id), read: Container.init(row:))
        }
    }

    /// The container of this name.
    ///
    /// - Throws: `NOT_FOUND` if missing.
    package func require(named name: String) async throws -> Container {
        try await database.pool.read { try Container.require(name: name, in: $0) }
    }

    /// - Throws: `EXISTS` if the name is taken, `BAD_REQUEST` for an invalid name.
    package func create(name: String) async throws -> Container {
        try Container.check(name: name)
        return try await database.pool.write { [created = database.now()] db in
            guard try Container.find(name: name, in: db) == nil else {
                throw ServerError(.exists, "container '\(name)' exists already", .taken(.container))
            }
            return try Self.insert(name: name, created: created, in: db)
        }
    }

    /// The container of this name, created if missing.
    package func ensure(name: String) async throws -> Container {
        try Container.check(name: name)
        if let container = try await database.reader().container(named: name) { return container }
        return try await database.pool.write { [created = database.now()] db in
            try Container.find(name: name, in: db) ?? Self.insert(name: name, created: created, in: db)
        }
    }

    /// Changes settings; a nil setting stays unchanged.
    package func update(
        name: String, justInTimeSchema: Bool? = nil, strictIndexes: Bool? = nil, discoverableUsers: Bool? = nil,
        uniqueSubscriptions: Bool? = nil, atomicErrorStatus: Bool? = nil
    ) async throws -> Container {
        let switches = [
            justInTimeSchema, strictIndexes, discoverableUsers, uniqueSubscriptions, atomicErrorStatus,
        ].map { $0.map(SQLValue.bool) ?? .null }
        return try await database.pool.write { db in
            try db.run(
                """
                UPDATE container SET justInTimeSchema = coalesce(?, justInTimeSchema),
                    strictIndexes = coalesce(?, strictIndexes),
                    discoverableUsers = coalesce(?, discoverableUsers),
                    uniqueSubscriptions = coalesce(?, uniqueSubscriptions),
                    atomicErrorStatus = coalesce(?, atomicErrorStatus)
                WHERE name = ?
                """, switches + [.text(name)])
            return try Container.require(name: name, in: db)
        }
    }

    /// Deletes a container with its tokens, keys and sessions. The caller deletes the record files.
    package func delete(name: String) async throws -> Container {
        try await database.pool.write { db in
            let container = try Container.require(name: name, in: db)
            try db.run("DELETE FROM container WHERE id = ?", .integer(container.id))
            return container
        }
    }

    private static func insert(name: String, created: Timestamp, in db: SQLConnection) throws -> Container {
        try db.run(
            "INSERT INTO container (name, secret, created) VALUES (?, ?, ?)", .text(name),
            .blob(RandomText.bytes(32)), .seconds(created))
        return try Container.require(name: name, in: db)
    }
}
