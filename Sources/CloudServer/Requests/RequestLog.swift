import CloudModel
import DequeModule
import Synchronization

/// The last requests, bounded by number and by memory.
///
/// State: the records in the order they were answered, and the bytes they take, under one lock.
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

    /// The record of a request; nil when it is not remembered any more.
    package func find(id: String) -> RequestRecord? {
        state.withLock { state in state.records.last { $0.id == id } }
    }

    /// Records that a filter lets through.
    ///
    /// - Parameters:
    ///   - position: the place after which to begin; nil for the last there are.
    ///   - limit: how many at most: the first after a position, else the last.
    /// - Returns: the records, oldest first, and the position to go on after.
    package func records(
        after position: Int64?, limit: Int, _ filter: RequestFilter
    ) -> (records: [RequestRecord], next: Int64) {
        // A copy is cheap, and nobody who answers waits for the search.
        let (all, last) = state.withLock { ($0.records, $0.last) }
        guard let position else {
            let found = Array(all.reversed().lazy.filter(filter.fits).prefix(limit).reversed())
            return (found, last)
        }
        let start = Self.index(after: position, in: all)
        let found = Array(all[start...].lazy.filter(filter.fits).prefix(limit))
        return (found, found.count == limit ? found.last?.position ?? last : last)
    }

    /// The last records that a filter lets through before a place.
    ///
    /// - Parameters:
    ///   - position: of the first record that does not count; nil to begin with the last there are.
    ///   - limit: the most that are returned.
    /// - Returns: the records, oldest first, and the position before which there are more; nil where there are none.
    package func records(
        before position: Int64?, limit: Int, _ filter: RequestFilter
    ) -> (records: [RequestRecord], earlier: Int64?) {
        let all = state.withLock { $0.records }
        let end = position.map { $0 == .min ? 0 : Self.index(after: $0 - 1, in: all) } ?? all.count
        let found = Array(all[..<end].reversed().lazy.filter(filter.fits).prefix(limit + 1))
        let page = found.prefix(limit)
        return (page.reversed(), found.count > limit ? page.last?.position : nil)
    }

    /// The index of the first record after a position, which may be any number.
    private static func index(after position: Int64, in records: Deque<RequestRecord>) -> Int {
        guard let first = records.first?.position, position >= first else { return 0 }
        // Positions have no gaps.
        return Int(min(position - first, Int64(records.count) - 1)) + 1
    }

    /// The time of the oldest request remembered, where older ones have been dropped; nil where none has.
    var beginning: Timestamp? {
        state.withLock { state in state.records.first.flatMap { $0.position > 1 ? $0.time : nil } }
    }

    /// The number of requests remembered, and the bytes they take.
    var size: (count: Int, bytes: Int) { state.withLock { ($0.records.count, $0.bytes) } }
}
