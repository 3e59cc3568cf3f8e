import CloudEngine
import CloudModel
import CloudSQLite
import Dispatch
import Synchronization
import TestStore

@testable import CloudStore

/// A write door over a store's file that tells every statement it runs.
final class TracedWriter: Sendable {
    private let door: DatabaseWriter
    private let published = PublishedCatalog()
    private let statements: Statements

    private final class Statements: Sendable {
        let texts = Mutex<[String]>([])
    }

    init(_ path: String) throws {
        let statements = Statements()
        let engine = SQLiteEngine(onStatement: { sql in statements.texts.withLock { $0.append(sql) } })
        let published = published
        door = try DatabaseWriter(
            connection: engine.opener.openForWriting(path),
            file: OpenedFile(path: path, locations: engine.locations, place: "development of iCloud.com.example.test") {
                _ in
            },
            // On a busy machine a group would be closed before all that wait for it are in it.
            longestGroup: .seconds(600)
        ) { db in
            try WriteTransaction(
                db: db,
                WriteSources(
                    published: published, container: "iCloud.com.example.test", now: { Timestamp(milliseconds: 1) }))
        }
        self.statements = statements
    }

    /// The statements of one records/modify request, each by its first two words.
    func statements(
        of operations: [String], zone: ZoneID, limits: Limits = Limits()
    ) async throws -> [String] {
        statements.texts.withLock { $0.removeAll() }
        _ = try await modify(operations, zone: zone, limits)
        return beginnings
    }

    /// Those of requests that wait for the same group.
    func statements(ofGroup requests: [[String]], zone: ZoneID) async throws -> [String] {
        try await door.holding {
            statements.texts.withLock { $0.removeAll() }
            return requests.map { operations in { _ = try await self.modify(operations, zone: zone, Limits()) } }
        }
        return beginnings
    }

    private var beginnings: [String] {
        statements.texts.withLock { texts in
            // What the indexes of words and places ask for themselves is a comment.
            texts.filter { !$0.hasPrefix("--") }
                .map { $0.split(maxSplits: 3) { $0.isWhitespace }.prefix(2).joined(separator: " ") }
        }
    }

    private func modify(
        _ operations: [String], zone: ZoneID, _ limits: Limits
    ) async throws -> [OperationOutcome] {
        let catalog = published.catalog
        let parsed = try operations.enumerated().map { index, text in
            try RecordOperation.parse(json(text), at: index, defaults: Presentation(), limits: limits)
        }
        let request = ModifyRequest(
            zone: zone, operations: parsed, atomic: false, caller: .alice, growsSchema: true, limits: limits)
        let prepared = try parsed.map {
            let operation = try $0.get()
            return Preparation(operation, type: operation.recordType, catalog: catalog, zone: zone, limits: limits)
        }
        let run = ModifyRecords(
            request: request, prepared: prepared, preparedVersion: catalog.version, environment: .development,
            now: Timestamp(milliseconds: 1), names: operations.indices.map { "unnamed\($0)" },
            shortGUIDs: ShortGUID(routingKey: "abc"))
        let context = WriteContext(Requester(user: "_alice"), now: Timestamp(milliseconds: 1), limits: limits)
        return try await door.write(for: context, about: run.onlyRecord) { try run.run($0) }
    }

    func close() throws { try door.close() }
}

extension DatabaseWriter {
    /// Has requests wait behind each other while the writer is kept busy, and then run in one group.
    ///
    /// - Parameter requests: given once the writer is busy.
    func holding(_ requests: () -> [@Sendable () async throws -> Void]) async throws {
        let (isBusy, mayGoOn) = (Gate(), DispatchSemaphore(value: 0))
        async let busy: Void = write(for: nil) { _ in
            isBusy.openForGood()
            mayGoOn.wait()
        }
        await isBusy.wait()
        try await withThrowingTaskGroup { group in
            for (index, request) in requests().enumerated() {
                group.addTask { try await request() }
                while waiting <= index { await Task.yield() }
            }
            mayGoOn.signal()
            try await group.waitForAll()
        }
        try await busy
    }
}
