import CloudEngine

/// Copies schemas.
struct PostgresCopier: DatabaseCopier {
    let server: PostgresServer
    let schemas: PostgresSchemas

    func copy(
        _ source: String, to path: String, _ report: @escaping (_ done: Int, _ total: Int) -> Void
    ) throws {
        let connection = PostgresConnection(server, schema: schemas.schema(source))
        try connection.copySchema(to: schemas.schema(path), note: schemas.note(path), report)
        try connection.close()
        schemas.forget(path)
    }

    func duplicate(_ source: String, to path: String) throws { try copy(source, to: path) { _, _ in } }

    func openCopy(_ path: String, readonly: Bool) throws -> any EngineConnection {
        PostgresConnection(server, schema: schemas.schema(path))
    }

    /// Always throws: PostgreSQL's own tools back up its databases and know all of its servers.
    func backUp(
        _ source: String, to path: String, _ step: @escaping (_ done: Int, _ total: Int) throws -> Void
    ) throws {
        throw PostgresEngine.backupRefusal
    }
}
