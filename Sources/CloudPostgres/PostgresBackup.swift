package import CloudStore

extension PostgresEngine {
    /// Always throws: PostgreSQL's own tools back up its databases and know all of its servers.
    package func backUp(
        _ source: String, to path: String, _ step: @escaping (_ done: Int, _ total: Int) throws -> Void
    ) throws {
        throw Self.backupRefusal
    }

    /// The refusal, which names the tools to use instead.
    package static let backupRefusal = BackupRefusal(
        "PostgreSQL has backups of its own: use pg_dump or pg_basebackup, and after that the tools of the place where "
            + "the assets are; 'cumulus export' copies one environment")
}
