package import CloudModel
import DequeModule
import Synchronization

/// The latest request records, bounded by number and memory.
///
/// State: records in order of their answers, and their bytes, under one lock.
package final class RequestLog: Sendable {
    private struct State {
        var records: Deque<RequestRecord> = []
        var bytes = 0
        var last: Int64 = 0
    }

    private let most: Int
    private let mostBytes: Int
    private let state = Mutex(State())

    package init(most: Int, bytes: Int) {
        self.most = most
        mostBytes = bytes
    }

    package func add(_ record: RequestRecord) {
        let size = record.size
        state.withLock { state in
            state.last += 1
            state.records.append(record)
            state.records[state.records.count - 1].position = state.last
            state.bytes += size
            while state.records.count > most || state.bytes > mostBytes, let oldest = state.records.popFirst() {
                state.bytes -= oldest.size
            }
        }
    }

    /// The record of a request; nil if unknown or dropped.
    package func find(id: String) -> RequestRecord? {
        state.withLock { state in state.records.last { $0.id == id } }
    }

    /// Records that match a filter.
    ///
    /// - Parameters:
    ///   - position: start after this position; nil for the latest records.
    ///   - limit: the maximum number: the first after a position, otherwise the latest.
    /// - Returns: records, oldest first, and the position to continue after.
    package func records(
        after position: Int64?, limit: Int, _ filter: RequestFilter
    ) -> (records: [RequestRecord], next: Int64) {
        // A copy is cheap and keeps the lock free during the search.
        let (all, last) = state.withLock { ($0.records, $0.last) }
        guard let position else {
            let found = Array(all.reversed().lazy.filter(filter.fits).prefix(limit).reversed())
            return (found, last)
        }
        let start = Self.index(after: position, in: all)
        let found = Array(all[start...].lazy.filter(filter.fits).prefix(limit))
        return (found, found.count == limit ? found.last?.position ?? last : last)
    }

    /// The latest matching records before a position, for paging backwards.
    ///
    /// - Parameters:
    ///   - position: exclusive upper bound; nil to start with the latest record.
    ///   - limit: the maximum number of records.
    /// - Returns: records, oldest first, and the position before which earlier records exist; nil at the beginning.
    package func records(
        before position: Int64?, limit: Int, _ filter: RequestFilter
    ) -> (records: [RequestRecord], earlier: Int64?) {
        let all = state.withLock { $0.records }
        let end = position.map { $0 == .min ? 0 : Self.index(after: $0 - 1, in: all) } ?? all.count
        let found = Array(all[..<end].reversed().lazy.filter(filter.fits).prefix(limit + 1))
        let page = found.prefix(limit)
        return (page.reversed(), found.count > limit ? page.last?.position : nil)
    }

    /// The index of the first record after a position; accepts any number.
    private static func index(after position: Int64, in records: Deque<RequestRecord>) -> Int {
        guard let first = records.first?.position, position >= first else { return 0 }
        // Positions have no gaps.
        return Int(min(position - first, Int64(records.count) - 1)) + 1
    }

    /// The time of the oldest record after older records were dropped; nil if none was dropped.
    package var beginning: Timestamp? {
        state.withLock { state in state.records.first.flatMap { $0.position > 1 ? $0.time : nil } }
    }

    /// Number and bytes of the records.
    package var size: (count: Int, bytes: Int) { state.withLock { ($0.records.count, $0.bytes) } }
}
