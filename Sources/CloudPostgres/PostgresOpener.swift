import CloudEngine
import CloudSQL
import Synchronization

/// Opens schemas as databases.
final class PostgresOpener: DatabaseOpener {
    private let server: PostgresServer
    private let schemas: PostgresSchemas
    /// Account changes by schema.
    private let changes = Mutex<[String: AccountChanges]>([:])

    init(_ server: PostgresServer, _ schemas: PostgresSchemas) {
        self.server = server
        self.schemas = schemas
    }

    func openForWriting(_ path: String) throws -> any EngineConnection {
        let connection = PostgresConnection(server, schema: schemas.schema(path), row: .records)
        try connection.makeSchema(note: schemas.note(path))
        return connection
    }

    func openForReading(_ path: String) throws -> any EngineConnection {
        PostgresConnection(server, schema: schemas.schema(path))
    }

    func openAccounts(_ path: String) throws -> any SQLPool {
        try PostgresPool(
            server, schema: schemas.schema(path), note: schemas.note(path), row: .accounts,
            changes: changes(of: path))
    }

    func openAccountsForReading(_ path: String) throws -> any EngineConnection {
        PostgresConnection(server, schema: schemas.schema(path), answerTime: PostgresEngine.quickResponse)
    }

    private func changes(of path: String) -> AccountChanges {
        changes.withLock { changes in
            let known = changes[schemas.schema(path)] ?? AccountChanges()
            changes[schemas.schema(path)] = known
            return known
        }
    }

    func watchAccounts(_ path: String) throws -> any AccountsProbe {
        PostgresRevision(
            PostgresConnection(
                server, schema: schemas.schema(path), givesWay: false, answerTime: PostgresEngine.quickResponse),
            changes(of: path))
    }

    func writesOfAccounts(
        _ path: String, _ onWrite: @escaping @Sendable (_ isTold: Bool) -> Void
    ) -> (any Sendable)? { changes(of: path).observe { onWrite(true) } }
}
