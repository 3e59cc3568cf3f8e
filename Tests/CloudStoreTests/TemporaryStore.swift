import CloudModel
import Foundation
import GRDB
import Synchronization

@testable import CloudStore

/// A store over a file of its own, gone with it, and a clock that stands until it is moved.
final class TemporaryStore: Sendable {
    let store: SQLiteRecordStore
    let path: String
    let clock = StandingClock()
    private let folder: String

    init(_ environment: ContainerEnvironment = .development, pace: BuildPace = BuildPace()) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        path = folder + "/records.sqlite"
        store = try Self.open(path, environment, clock, pace)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Does to the file what no request could.
    func execute(_ sql: String) async throws {
        // The store may be busy with what a schema change left.
        var configuration = Configuration()
        configuration.busyMode = .timeout(60)
        let database = try DatabaseQueue(path: path, configuration: configuration)
        try await database.write { try $0.execute(sql: sql) }
        try database.close()
    }

    /// The rows of a table.
    func count(_ table: String) async throws -> Int? {
        let database = try DatabaseQueue(path: path)
        let count = try await database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") }
        try database.close()
        return count
    }

    /// The same file as another process would see it.
    func open(
        _ environment: ContainerEnvironment = .development, pace: BuildPace = BuildPace(),
        onNotify: @escaping NotifyTokens = { _ in }, onTrouble: @escaping @Sendable (any Error) -> Void = { _ in }
    ) throws -> SQLiteRecordStore {
        try Self.open(path, environment, clock, pace, onNotify, onTrouble)
    }

    private static func open(
        _ path: String, _ environment: ContainerEnvironment, _ clock: StandingClock, _ pace: BuildPace,
        _ onNotify: @escaping NotifyTokens = { _ in }, _ onTrouble: @escaping @Sendable (any Error) -> Void = { _ in }
    ) throws -> SQLiteRecordStore {
        try SQLiteRecordStore(
            path: path, container: "iCloud.com.example.test", environment: environment, routingKey: "abc",
            assets: try FileAssetStore(folder: path + "-assets"), readers: 2, pace: pace, onTrouble: onTrouble,
            onNotify: onNotify
        ) { clock.now }
    }
}

/// Milliseconds since 1970-01-01Z, moved by hand.
final class StandingClock: Sendable {
    private let milliseconds = Mutex<Int64>(1_700_000_000_000)

    var now: Int64 { milliseconds.withLock { $0 } }

    func pass(milliseconds passed: Int64) { milliseconds.withLock { $0 += passed } }
}

extension ZoneID {
    static let notes = ZoneID(name: "Notes", owner: "_alice")
    static let home = ZoneID(name: ZoneID.defaultName, owner: "_alice")
    static let world = ZoneID(name: ZoneID.defaultName, owner: ZoneID.publicOwner)
}

extension Caller {
    static let alice = Caller.user(recordName: "_alice")
    static let bob = Caller.user(recordName: "_bob")
}
