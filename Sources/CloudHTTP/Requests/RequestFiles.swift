import CloudModel
import Dispatch
import Foundation
import Logging
import Synchronization

/// Writes request records to JSON Lines files by day, bounded in days and bytes.
///
/// Writes on its own queue and drops records under overload: no request waits for a file.
final class RequestFiles: Sendable {
    /// Records in the queue before new ones are dropped.
    private static let mostWaiting = 10_000
    /// Files that share the bytes allowed; pruning deletes whole files.
    private static let parts = 8

    private let folder: String
    private let days: Int
    private let mostBytes: Int
    private let logger: Logger
    private let now: Now
    private let queue = DispatchQueue(label: "request-records")
    private let waiting = Mutex<(records: [RequestRecord], leftOut: Int)>(([], 0))

    init(folder: String, _ settings: RequestSettings, logger: Logger, now: @escaping Now) throws {
        self.folder = folder
        days = settings.fileDays
        mostBytes = settings.fileBytes
        self.logger = logger
        self.now = now
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    func write(_ record: RequestRecord) {
        let isFirst = waiting.withLock { waiting in
            guard waiting.records.count < Self.mostWaiting else {
                waiting.leftOut += 1
                return false
            }
            waiting.records.append(record)
            return waiting.records.count == 1
        }
        if isFirst { queue.async { self.drain() } }
    }

    /// Writes all queued records before returning.
    func flush() { queue.sync { drain() } }

    private func drain() {
        let (records, leftOut) = waiting.withLock { waiting in
            defer { waiting = ([], 0) }
            return waiting
        }
        if leftOut > 0 {
            logger.warning("records of requests were left out of their file", metadata: ["leftOut": "\(leftOut)"])
        }
        guard !records.isEmpty else { return }
        do {
            for (day, records) in Dictionary(grouping: records, by: { Self.day($0.time) }) {
                try append(records, to: try path(for: day))
            }
            try prune()
        } catch {
            logger.error("records of requests cannot be written", metadata: ["error": "\(error)"])
        }
    }

    /// The current file of a day: its last file, or a new file when the last exceeds its share of the bytes.
    private func path(for day: String) throws -> String {
        let last = try sizes().filter { $0.name.hasPrefix(day) }.last
        let number = last.flatMap { Int($0.name.dropFirst(day.count + 1).prefix(6)) } ?? 1
        let isFull = last.map { $0.bytes > mostBytes / Self.parts } ?? false
        let digits = String(isFull ? number + 1 : number)
        return "\(folder)/\(day)-\(String(repeating: "0", count: max(0, 6 - digits.count)))\(digits).jsonl"
    }

    /// Files with sizes, oldest first.
    private func sizes() throws -> [(name: String, bytes: Int)] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".jsonl") }.sorted().map {
            let facts = try FileManager.default.attributesOfItem(atPath: "\(folder)/\($0)")
            return ($0, (facts[.size] as? NSNumber)?.intValue ?? 0)
        }
    }

    private func append(_ records: [RequestRecord], to path: String) throws {
        var bytes: [UInt8] = []
        for record in records {
            var writer = JSONWriter(capacity: 1024)
            record.write(to: &writer)
            bytes += writer.bytes
            bytes.append(UInt8(ascii: "\n"))
        }
        if !FileManager.default.fileExists(atPath: path) {
            // Opening the file below tells why it could not be created.
            _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        defer { try? file.close() }
        try file.seekToEnd()
        try file.write(contentsOf: Data(bytes))
    }

    /// Deletes files older than `days`, and then the oldest files over the size limit.
    private func prune() throws {
        let oldest = Self.day(now() + .seconds(-86400 * (days - 1)))
        var files = try sizes()[...]
        var total = files.reduce(0) { $0 + $1.bytes }
        while let first = files.popFirst(), first.name < oldest || total > mostBytes {
            try FileManager.default.removeItem(atPath: "\(folder)/\(first.name)")
            total -= first.bytes
        }
    }

    /// A day in UTC, such as `2026-11-23`.
    private static func day(_ time: Timestamp) -> String { time.date.formatted(.iso8601.year().month().day()) }
}
