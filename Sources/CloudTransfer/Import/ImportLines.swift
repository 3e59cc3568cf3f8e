import CloudModel
import CloudStore
import Foundation
import CloudSQL

/// Imports the lines of an export in batches, and saves the progress with each batch.
struct ImportLines: Sendable {
    let folder: ExportFolder
    let export: ImportIdentity
    let context: ImportContext
    let store: StoredEnvironment
    let report: ReportProgress
    let reached: ReachedStep

    /// Limits of one transaction's batch.
    private static let batchLines = 500
    private static let batchBytes = 4 << 20

    private struct Line: Sendable {
        let number: Int
        let bytes: [UInt8]
    }

    /// - Throws: ``ImportCursor/Stranger`` when an earlier attempt imported different lines; ``TransferFault`` for an
    ///   invalid line, or a wrong number of lines.
    func run(_ schema: SchemaDefinition) async throws {
        let done = try await begin(schema)
        var place = ImportCursor(export)
        // Lines already imported are read again to compare their digest.
        var isSame = done == place
        for (number, list) in TransferList.allCases.enumerated() where list != .users {
            try await take(list, number, &place, after: done, &isSame)
        }
        guard isSame else { throw ImportCursor.Stranger() }
    }

    private func begin(_ schema: SchemaDefinition) async throws -> ImportCursor {
        let (export, manifest, store) = (export, context.manifest, store)
        return try await store.writes.write(for: nil) { transaction in
            if let known = try ImportCursor.load(export, transaction.db) { return known }
            try transaction.positions.adopt(
                manifest.epochs, changed: manifest.changed, position: manifest.position, transaction.db)
            let cursor = try ImportCursor.begin(export, transaction.db)
            try ImportedSchema.create(schema, manifest, transaction) {
                SchemaEdit($0, limits: store.limits, removal: store.removal($0))
            }
            return cursor
        }
    }

    private func take(
        _ list: TransferList, _ number: Int, _ place: inout ImportCursor, after done: ImportCursor, _ isSame: inout Bool
    ) async throws {
        let total = context.manifest.count(list)
        var lines: Int64 = 0
        var index = 0
        while let file = list.file(index, of: total) {
            let reader = try LineReader(file, in: folder)
            place.begin(list: number, file: index)
            while let batch = try batch(reader) {
                place.pass(batch.map(\.bytes))
                lines += Int64(batch.count)
                if place.isBefore(done) { continue }
                if !done.isBefore(place) {
                    isSame = place.digest == done.digest
                    continue
                }
                guard isSame else { throw ImportCursor.Stranger() }
                try await take(batch, of: list, file, place)
                report(TransferProgress(what: list.noun, done: lines, total: total))
            }
            reached(.file(file))
            index += 1
        }
        guard lines == total else {
            throw TransferFault("the export says it has \(total) \(list.noun), and \(lines) came; nothing was imported")
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
        try await store.writes.write(for: nil) { transaction in
            for line in batch {
                do {
                    try context.take(TransferLine(line.bytes), of: list, transaction)
                    // Flush deferred rows here, so that a constraint error names this line.
                    try transaction.db.writeDeferred()
                } catch { throw Self.named(error, file, line) }
            }
            try cursor.save(transaction.db)
        }
    }

    /// Adds the line's place to errors about the line; machine errors pass unchanged.
    private static func named(_ error: any Error, _ file: String, _ line: Line) -> any Error {
        switch error {
        case let fault as TransferLine.Fault: TransferFault(file: file, line: line.number, fault.reason)
        case let error as ServerError where error.code != .tryAgainLater:
            TransferFault(file: file, line: line.number, error.reason)
        case let error as SQLError where error.kind == .constraint:
            TransferFault(
                file: file, line: line.number,
                "a row like it exists already: \(error.message)")
        default: error
        }
    }
}
