import CloudAssets
package import CloudEngine
package import CloudModel
package import CloudSQL
package import CloudStore
import Foundation
import Synchronization
import TestEngine

/// A store over a file of its own, gone with it, and a clock that stands until it is moved.
package final class TemporaryStore: Sendable {
    package let store: EnvironmentStore
    package let path: String
    package let clock = StandingClock()
    private let folder: Folder
    package let engine: any StoreEngine

    /// Each store holds it, since one that has lost its file refuses to write.
    private final class Folder: Sendable {
        let path = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)").path()

        init() throws {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    package init(
        _ environment: ContainerEnvironment = .development, pace: BuildPace = BuildPace(), limits: Limits = Limits(),
        engine: any StoreEngine = TestEngine()
    ) throws {
        self.engine = engine
        folder = try Folder()
        path = folder.path + "/records.sqlite"
        store = try Self.open(path, engine, folder, environment, clock, pace, limits: limits)
    }

    /// Does to the file what no request could.
    package func execute(_ sql: String) async throws {
        try write { try $0.script(sql) }
    }

    /// Has another connection do to the file what no request could.
    package func write<T>(_ body: (SQLConnection) throws -> T) throws -> T {
        let connection = try engine.opener.openForWriting(path)
        // The store may be busy with what a schema change left.
        if !ChosenEngine.isPostgres { try connection.use { try $0.script("PRAGMA busy_timeout = 60000") } }
        let value = try connection.write(body)
        try connection.close()
        return value
    }

    /// Reads the file as another connection sees it at one moment.
    package func read<T>(_ body: (SQLConnection) throws -> T) throws -> T {
        let connection = try engine.opener.openForReading(path)
        let value = try connection.read(body)
        try connection.close()
        return value
    }

    /// The rows of a table.
    package func count(_ table: String) async throws -> Int? {
        // A connection that only reads would leave a log behind where the store is closed.
        let connection = try engine.opener.openForWriting(path)
        let count = try connection.read { try $0.first("SELECT count(*) FROM \(table)") { Int($0.integer(0)) } }
        try connection.close()
        return count
    }

    /// The same file as another process would see it.
    package func open(
        _ environment: ContainerEnvironment = .development, pace: BuildPace = BuildPace(),
        onNotify: @escaping NotifyTokens = { _, _ in }, awaited: @escaping AwaitedTokens = { _ in [] },
        onTrouble: @escaping @Sendable (any Error) -> Void = { _ in }, epochMemory: EpochMemory = EpochMemory()
    ) throws -> EnvironmentStore {
        try Self.open(path, engine, folder, environment, clock, pace, onNotify, awaited, onTrouble, epochMemory)
    }

    private static func open(
        _ path: String, _ engine: any StoreEngine, _ folder: Folder, _ environment: ContainerEnvironment,
        _ clock: StandingClock, _ pace: BuildPace,
        _ onNotify: @escaping NotifyTokens = { _, _ in }, _ awaited: @escaping AwaitedTokens = { _ in [] },
        _ onTrouble: @escaping @Sendable (any Error) -> Void = { _ in },
        limits: Limits = Limits(), _ epochMemory: EpochMemory = EpochMemory()
    ) throws -> EnvironmentStore {
        EnvironmentStore(
            stored: try StoredEnvironment(
                EnvironmentIdentity(
                    path: path, container: "iCloud.com.example.test", environment: environment, routingKey: "abc"),
                engine: engine, files: EnvironmentFiles(assets: FileAssetStore(folder: path + "-assets")),
                settings: EnvironmentSettings(readers: 2, limits: limits, pace: pace, epochMemory: epochMemory),
                events: EnvironmentEvents(onTrouble: onTrouble, onNotify: onNotify, awaited: awaited)
            ) { withExtendedLifetime(folder) { clock.now } })
    }
}

/// A clock moved by hand.
package final class StandingClock: Sendable {
    private let milliseconds = Mutex<Int64>(1_700_000_000_000)

    package var now: Timestamp { Timestamp(milliseconds: milliseconds.withLock { $0 }) }

    package func pass(milliseconds passed: Int64) { milliseconds.withLock { $0 += passed } }
}

extension ZoneID {
    package static let notes = ZoneID(name: "Notes", owner: "_alice")
    package static let home = ZoneID(name: ZoneID.defaultName, owner: "_alice")
    package static let world = ZoneID(name: ZoneID.defaultName, owner: ZoneID.publicOwner)
}

extension Caller {
    package static let alice = Caller.user(recordName: "_alice")
    package static let bob = Caller.user(recordName: "_bob")
}
