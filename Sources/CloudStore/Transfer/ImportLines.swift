import CloudModel
import Foundation
import GRDB

/// Takes the lines of an export into a store, batch by batch, and remembers with each how far it has come.
struct ImportLines: Sendable {
    let folder: ExportFolder
    let context: ImportContext
    let store: SQLiteRecordStore
    let report: ReportProgress

    /// What is taken in by one transaction.
    private static let batchLines = 500
    private static let batchBytes = 4 << 20

    private struct Line: Sendable {
        let number: Int
        let bytes: [UInt8]
    }

    func run(_ schema: SchemaDefinition) async throws {
        let (context, manifest, store) = (context, context.manifest, store)
        var cursor = try await store.writes.write { transaction in
            // The writer does not keep positions of what it did not number itself.
            transaction.reach(manifest.position)
            if let cursor = try ImportCursor.load(manifest, transaction.db) { return cursor }
            try ImportCursor.begin(manifest, transaction.db)
            try ImportedSchema.create(schema, context.manifest, transaction) {
                SchemaEdit($0, indexing: store.indexing, limits: store.limits, removal: store.removal($0))
            }
            return ImportCursor()
        }
        let lists = TransferList.allCases
        while cursor.list < lists.count {
            let list = lists[cursor.list]
            let files = list == .users ? [] : list.files(manifest.count(list))
            while cursor.file < files.count {
                try await take(files[cursor.file], of: list, &cursor)
                cursor.file += 1
                cursor.line = 0
            }
            cursor.list += 1
            cursor.file = 0
        }
        try await check()
    }

    private func take(_ file: String, of list: TransferList, _ cursor: inout ImportCursor) async throws {
        let reader = try LineReader(file, in: folder)
        try reader.skip(cursor.line)
        var done = Int64(cursor.file * ExportFolder.recordsPerFile + cursor.line)
        while let batch = try batch(reader) {
            cursor.line = reader.line
            try await take(batch, of: list, file, cursor)
            done += Int64(batch.count)
            report(TransferProgress(what: list.noun, done: done, total: context.manifest.count(list)))
        }
    }

    private func batch(_ reader: LineReader) throws -> [Line]? {
        var batch: [Line] = []
        var bytes = 0
        while batch.count < Self.batchLines, bytes < Self.batchBytes, let line = try reader.next() {
            batch.append(Line(number: reader.line, bytes: line))
            bytes += line.count
        }
        return batch.isEmpty ? nil : batch
    }

    private func take(
        _ batch: [Line], of list: TransferList, _ file: String, _ cursor: ImportCursor
    ) async throws {
        if list == .assets {
            let assets = ImportedAssets(folder: folder, store: store, missing: context.missing)
            for line in batch {
                do { try await assets.take(TransferLine(line.bytes)) } catch { throw Self.named(error, file, line) }
            }
        }
        let context = context
        try await store.writes.write { transaction in
            for line in batch {
                do {
                    try context.take(TransferLine(line.bytes), of: list, transaction)
                } catch { throw Self.named(error, file, line) }
            }
            try cursor.save(transaction.db)
        }
    }

    /// A fault of the line with its place; one of the machine as it is.
    private static func named(_ error: any Error, _ file: String, _ line: Line) -> any Error {
        switch error {
        case let fault as TransferLine.Fault: TransferFault(file: file, line: line.number, fault.reason)
        case let error as ServerError where error.code != .tryAgainLater:
            TransferFault(file: file, line: line.number, error.reason)
        case let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT:
            TransferFault(
                file: file, line: line.number,
                "there is one like it already: \(error.message ?? "a name is taken twice")")
        default: error
        }
    }

    /// Whether everything has arrived.
    private func check() async throws {
        let arrived = try await store.reads.read { db, _ in try ExportSummary.counts(db) }
        for list in TransferList.allCases {
            guard let count = arrived[list] else { continue }
            let expected = context.manifest.count(list) - (list == .assets ? Int64(context.missing.count) : 0)
            guard count == expected else {
                throw TransferFault(
                    "the export says it has \(expected) \(list.noun), and \(count) came; nothing was imported")
            }
        }
        let lost = try await store.reads.read { db, _ in
            try db.first(
                "SELECT name FROM records WHERE share IS NOT NULL AND share NOT IN (SELECT id FROM shares)"
            ) { $0.text(0) }
        }
        if let lost {
            throw TransferFault("record '\(Naming.shown(lost))' names a share that is not among the shares")
        }
    }
}
