import CloudEngine
import CloudSQLite
import Foundation
import Testing

/// Databases as files, with SQLite's side files.
@Suite(.timeLimit(.minutes(5)))
struct DatabaseFilesTests {
    private let folder: ScratchFolder
    private var locations: any DatabaseLocations { folder.engine.locations }

    init() throws { folder = try ScratchFolder() }

    @Test("A moved database replaces another, and the other's leftover log is not applied to it") func moving() throws {
        let source = try folder.make("new.sqlite", [1])
        let target = try folder.makeKilled("old.sqlite", [2])
        try locations.move(source, to: target)
        #expect(try locations.facts(of: source) == nil)
        #expect(folder.files == ["old.sqlite"])
        #expect(try folder.numbers("old.sqlite") == [1])
    }

    @Test("A removed database leaves no side file, and removing a missing one is no error") func removal() throws {
        let path = try folder.makeKilled("a.sqlite", [1])
        #expect(folder.files == ["a.sqlite", "a.sqlite-wal"])
        try locations.remove(path)
        try locations.remove(path)
        #expect(folder.files.isEmpty)
    }

    @Test("A duplicate has the rows of the log") func duplicate() throws {
        let source = try folder.makeKilled("a.sqlite", [1, 2])
        try folder.engine.copier.duplicate(source, to: folder.path("b.sqlite"))
        #expect(try folder.numbers("b.sqlite") == [1, 2] && folder.numbers("a.sqlite") == [1, 2])
    }

    @Test("Databases are found by a prefix of their path") func prefix() throws {
        for name in ["1-a.sqlite", "1-b.sqlite", "11-a.sqlite"] { _ = try folder.make(name, []) }
        #expect(FileManager.default.createFile(atPath: folder.path("1-notes.txt"), contents: nil))
        let found = try locations.databases(beginningWith: folder.path("1-"))
        #expect(Set(found) == [folder.path("1-a.sqlite"), folder.path("1-b.sqlite")])
        #expect(try locations.databases(beginningWith: folder.path("missing/1-")).isEmpty)
    }

    @Test("A database keeps its identity when it is moved, and another at its path has its own") func identity() throws
    {
        let path = try folder.make("a.sqlite", [])
        let facts = try #require(try locations.facts(of: path))
        #expect(!facts.isEmpty)
        try locations.move(path, to: folder.path("b.sqlite"))
        #expect(try locations.facts(of: path) == nil)
        #expect(try locations.facts(of: folder.path("b.sqlite")) == facts)
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        let empty = try #require(try locations.facts(of: path))
        #expect(empty.isEmpty && empty != facts)
    }

    @Test("The log's bytes are counted until a checkpoint and the close") func logBytes() throws {
        let connection = try folder.open("a.sqlite", [1])
        let path = folder.path("a.sqlite")
        #expect(locations.logBytes(of: path) > 0)
        try connection.checkpoint()
        #expect(locations.logBytes(of: path) == 0)
        try connection.close()
        #expect(folder.files == ["a.sqlite"])
    }
}
