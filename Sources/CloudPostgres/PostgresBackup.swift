package import CloudStore

extension PostgresEngine {
    /// Refuses: what is in PostgreSQL is backed up by its own tools, which know all of its servers.
    package func backUp(
        _ source: String, to path: String, _ step: @escaping (_ done: Int, _ total: Int) throws -> Void
    ) throws {
        throw Self.backupRefusal
    }

    /// Says what makes backups instead.
    package static let backupRefusal = TransferFault(
        "PostgreSQL has backups of its own: use pg_dump or pg_basebackup, and after that the tools of the place where "
            + "the assets are; 'cumulus export' copies one environment")
}
