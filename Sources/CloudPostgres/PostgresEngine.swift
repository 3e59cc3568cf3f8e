package import CloudEngine

/// Stores each database in a schema of one PostgreSQL database.
package final class PostgresEngine: StoreEngine {
    package let locations: any DatabaseLocations
    package let opener: any DatabaseOpener
    package let copier: any DatabaseCopier
    package let locks: (any EngineLocks)?
    package let news: (any EngineNews)?

    /// - Parameters:
    ///   - url: a libpq connection URL.
    ///   - root: the removed prefix of database paths; servers with different roots share schemas.
    ///   - prefix: the prefix of schema names.
    package convenience init(url: String, root: String, prefix: String = "cumulus_", limits: PostgresLimits = .init()) {
        self.init(PostgresServer(url: url, limits: limits), root: root, prefix: prefix)
    }

    /// Checks the database server and opens an engine.
    ///
    /// - Parameter onTrouble: called with the reason when the database becomes unreachable, and with nil after
    ///   recovery.
    /// - Throws: ``PostgresUnusable``.
    package convenience init(
        _ address: PostgresAddress, root: String, limits: PostgresLimits,
        onTrouble: @escaping @Sendable (String?) -> Void
    ) throws {
        let server = PostgresServer(url: address.url, limits: limits, onTrouble: onTrouble)
        try ServerCheck(address: address, server: server).run()
        self.init(
            server, place: address.shown, root: root,
            prefix: "cumulus_")
    }

    private init(_ server: PostgresServer, place: String? = nil, root: String, prefix: String) {
        let schemas = PostgresSchemas(server, place: place, root: root, prefix: prefix)
        locations = schemas
        opener = PostgresOpener(server, schemas)
        copier = PostgresCopier(server: server, schemas: schemas)
        locks = PostgresLocks(server, prefix: prefix)
        news = PostgresNews(server)
    }

    package var respondsAtOnce: Bool { false }

    /// The time limit for statements that block a caller's thread.
    static let quickResponse = Duration.seconds(5)

    /// The refusal of a backup, which names the tools to use instead.
    package static let backupRefusal = BackupRefusal(
        "PostgreSQL has backups of its own: use pg_dump or pg_basebackup, and after that the tools of the place where "
            + "the assets are; 'cumulus export' copies one environment")
}
