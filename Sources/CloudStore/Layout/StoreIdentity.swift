import CloudModel
package import CloudSQL

/// A database's identity, which marks its sync tokens.
package enum StoreIdentity {
    static func insert(_ db: SQLConnection) throws {
        try db.run(
            "INSERT INTO store (id, position, catalog_version, incarnation, secret) VALUES (1, 0, 0, ?, ?)",
            .integer(incarnation()), .blob(secret()))
    }

    /// Invalidates all sync tokens given out so far.
    package static func renew(_ db: SQLConnection) throws {
        try db.run("UPDATE store SET incarnation = ?, secret = ?", .integer(incarnation()), .blob(secret()))
    }

    private static func incarnation() -> Int64 {
        var generator = RandomBits.Generator(.stores)
        return Int64.random(in: 1 ... .max, using: &generator)
    }

    private static func secret() -> [UInt8] { RandomBits.bytes(32, .stores) }
}
