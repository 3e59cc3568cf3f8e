import CloudEngine
import CloudSQL
import CloudSQLite
import Foundation
import Synchronization
import Testing

/// Copies of open databases.
@Suite(.timeLimit(.minutes(5)))
struct CopierTests {
    private struct Stop: Error {}

    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// An open database of more pages than one step of a copy has.
    private func large() throws -> any EngineConnection {
        let connection = try folder.open("a.sqlite", [1])
        try connection.write { db in
            try db.script("CREATE TABLE filling (bytes BLOB)")
            for _ in 0..<4 { try db.run("INSERT INTO filling VALUES (zeroblob(1000000))") }
        }
        return connection
    }

    @Test("A backup is one file with the state of its start, and commits during it are not blocked") func backup()
        throws
    {
        let connection = try large()
        var steps: [(done: Int, total: Int)] = []
        try folder.engine.copier.backUp(folder.path("a.sqlite"), to: folder.path("b.sqlite")) { done, total in
            steps.append((done, total))
            try connection.write { try ScratchFolder.add(Int64(steps.count + 1), $0) }
        }
        #expect(steps.count > 1 && steps.last.map { $0.done == $0.total } == true)
        #expect(try ScratchFolder.numbers(connection).count == steps.count + 1)
        #expect(folder.files.filter { $0.hasPrefix("b") } == ["b.sqlite"])
        let copy = try folder.engine.copier.openCopy(folder.path("b.sqlite"), readonly: true)
        #expect(try ScratchFolder.numbers(copy) == [1])
        try copy.close()
        #expect(folder.files.filter { $0.hasPrefix("b") } == ["b.sqlite"])
        try connection.close()
    }

    @Test("An error of the step ends the copy") func ended() throws {
        let connection = try large()
        var steps = 0
        #expect(throws: Stop.self) {
            try folder.engine.copier.backUp(folder.path("a.sqlite"), to: folder.path("b.sqlite")) { _, _ in
                steps += 1
                throw Stop()
            }
        }
        #expect(steps == 1)
        try connection.close()
    }

    @Test("A copy can be written to, and stays one file") func written() throws {
        let connection = try large()
        try folder.engine.copier.copy(folder.path("a.sqlite"), to: folder.path("b.sqlite")) { _, _ in }
        try connection.close()
        let copy = try folder.engine.copier.openCopy(folder.path("b.sqlite"), readonly: false)
        try copy.write { try ScratchFolder.add(2, $0) }
        #expect(folder.files.filter { $0.hasPrefix("b") } == ["b.sqlite"])
        #expect(try ScratchFolder.numbers(copy) == [1, 2])
        try copy.close()
    }
}
