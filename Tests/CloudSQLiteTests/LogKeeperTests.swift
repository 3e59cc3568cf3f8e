import CloudEngine
import CloudSQL
import Foundation
import Synchronization
import TestEngine
import Testing

@testable import CloudSQLite

/// The log is brought back beside the writer. Frames are counted, no time is measured.
@Suite(.timeLimit(.minutes(20)))
struct LogKeeperTests {
    @Test("Under 50,000 creates the log stays within bounds and the writer copies little of it")
    func manyCreates() throws {
        let file = try LogFile()
        for _ in 0..<2_500 { try file.create(20) }
        let counts = file.keeper.counts
        #expect(counts.resets >= 2)
        #expect(counts.longestLog <= 2 * LogKeeper.threshold, "\(counts)")
        #expect(counts.longestPass < 1_000, "\(counts)")
        try file.expectRows()
    }

    @Test("A long-lived reader only delays the log's restart")
    func longReader() async throws {
        let file = try LogFile()
        try file.create(1)
        let reader = try await LongReader(file.path, table: "creates")
        while file.keeper.counts.longestLog < 2 * LogKeeper.threshold { try file.create(100) }
        #expect(file.keeper.counts.resets == 0)
        try reader.end()
        let end = file.keeper.counts.longestLog
        while file.keeper.counts.resets == 0 { try file.create(20) }
        let counts = file.keeper.counts
        // One more try, and what is written beside the thread.
        #expect(counts.longestLog <= end + LogKeeper.threshold, "\(counts)")
        #expect(counts.longestPass < 1_000, "\(counts)")
        while try file.logBytes > SQLiteEngine.logLimit { try await Task.sleep(for: .milliseconds(20)) }
        // A commit waits for at most one piece.
        #expect(file.keeper.counts.pieces >= 4)
        try file.expectRows()
    }

    @Test("Cutting a log beside writers loses none of their commits")
    func cutBesideWriters() async throws {
        let file = try LogFile()
        let reader = try await LongReader(file.path, table: "creates")
        while try file.logBytes < 3 * SQLiteEngine.logLimit { try file.create(100) }
        try reader.end()
        while file.keeper.counts.resets == 0 { try file.create(20) }
        // As many commits as it takes, a few of them longer than a piece: the log is cut between commits.
        while try file.logBytes > 2 * SQLiteEngine.logLimit {
            for _ in 0..<200 { try file.create(1) }
            try file.create(Int.random(in: 1...6_000))
        }
        #expect(file.keeper.counts.pieces > 0)
        try file.expectRows()
    }

    @Test("A log is cut only while no write is in progress") func cutBetweenWrites() throws {
        let file = try LogFile()
        try file.fill()
        try file.connection.write { _ in
            var copier = LogCopier(file.path)
            let cut = try copier.shorten(to: 0, by: 1)
            #expect(!cut.isCut && cut.isMore)
            copier.close()
        }
    }

    @Test("The file is synced after each copied piece of the log") func pacedCopying() throws {
        let file = try LogFile()
        try file.create(20_000)
        var copier = LogCopier(file.path)
        #expect(try copier.passAndSync().copied > 2_000)
        #expect(copier.syncs >= 8)
        copier.close()
        try file.expectRows()
    }

    @Test("The log left by an idle writer is cut back")
    func quiet() async throws {
        let file = try LogFile()
        try file.fill()
        #expect(try file.logBytes > SQLiteEngine.logLimit)
        while try file.logBytes > 0 { try await Task.sleep(for: .milliseconds(20)) }
        // And it is used as before.
        try file.create(10)
        #expect(file.keeper.counts.resets == 1)
        try file.expectRows()
    }

    @Test("A failure to restart the log is reported, and commits continue without loss")
    func trouble() throws {
        let file = try LogFile()
        let told = Told()
        file.connection.watchLog { told.tell($0) }
        try FileManager.default.moveItem(atPath: file.path, toPath: file.path + ".elsewhere")
        while told.last == nil { try file.create(100) }
        #expect(told.last??.kind == .unusable)
        #expect(file.keeper.counts.resets == 0)
        try FileManager.default.moveItem(atPath: file.path + ".elsewhere", toPath: file.path)
        while file.keeper.counts.resets == 0 { try file.create(100) }
        #expect(told.last == .some(nil))
        try file.expectRows()
    }

    @Test("Requested checkpoints and closing are never busy")
    func closing() throws {
        let file = try LogFile()
        for round in 0..<3 {
            // The thread has just been woken.
            try file.fill()
            try file.connection.checkpoint()
            #expect(try file.logBytes == 0, "round \(round)")
        }
        try file.fill()
        try file.connection.close()
        #expect(!FileManager.default.fileExists(atPath: file.path + "-wal"))
    }

    private final class Told: Sendable {
        private let value = Mutex<SQLError??>(nil)

        /// Nil before anything was told.
        var last: SQLError?? { value.withLock { $0 } }

        func tell(_ error: SQLError?) { value.withLock { $0 = .some(error) } }
    }
}

/// A file that is written through the engine alone, gone with this.
private final class LogFile {
    let path: String
    let connection: any EngineConnection
    let keeper: LogKeeper
    private let folder: URL
    private var created: Int64 = 0

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appending(path: "log.sqlite").path()
        connection = try SQLiteEngine().opener.openForWriting(path)
        keeper = try #require((connection as? SQLiteConnection)?.keeper)
        try connection.write { db in
            try db.script("CREATE TABLE creates (id INTEGER PRIMARY KEY, name BLOB UNIQUE, body BLOB)")
            try db.script("CREATE TABLE filling (bytes BLOB)")
        }
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// One commit of so many rows, whose names are scattered as those of records are.
    func create(_ count: Int) throws {
        _ = try connection.write { db in
            try db.run(
                """
                WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(count))
                INSERT INTO creates (name, body) SELECT randomblob(16), zeroblob(600) FROM numbers
                """)
        }
        created += Int64(count)
    }

    /// One commit that leaves a log above its limit.
    func fill() throws {
        try connection.write { db in
            for _ in 0..<70 { try db.run("INSERT INTO filling VALUES (zeroblob(1000000))") }
        }
    }

    var logBytes: Int {
        get throws {
            let attributes = try FileManager.default.attributesOfItem(atPath: path + "-wal")
            return try #require(attributes[.size] as? Int)
        }
    }

    /// Closes it, and looks for all that was created.
    func expectRows() throws {
        try connection.close()
        let connection = try SQLiteEngine().opener.openForReading(path)
        let found = try connection.read { db in try db.first("SELECT count(*) FROM creates") { $0.integer(0) } }
        #expect(found == created)
        let sound = try connection.read { db in try db.first("PRAGMA integrity_check") { $0.text(0) } }
        #expect(sound == "ok")
        try connection.close()
    }
}
