import CloudEngine
import CloudSQL
import GRDB
import Testing

@testable import CloudSQLite

/// The pool of a database of accounts.
@Suite(.timeLimit(.minutes(5)))
struct SQLitePoolTests {
    @Test("A checkpoint succeeds after a cancelled access") func interrupted() throws {
        let folder = try ScratchFolder()
        let connections = try DatabasePool(path: folder.path("a.sqlite"))
        let pool = SQLitePool(connections)
        try pool.writeBlocking { try $0.script("CREATE TABLE a (b)") }
        // As by a task that is cancelled after its last statement.
        connections.interrupt()
        try pool.checkpoint()
        try pool.close()
    }
}
