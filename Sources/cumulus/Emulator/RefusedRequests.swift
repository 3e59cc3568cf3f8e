import CloudHTTP
import CloudModel
import Synchronization

/// Requests refused during a command's run: the first are listed, the rest are counted.
final class RefusedRequests: Sendable {
    /// Limit on printed lines.
    static let most = 100

    private let state = Mutex((lines: [String](), count: 0))

    func note(_ record: RequestRecord) {
        guard record.isRefused else { return }
        state.withLock { state in
            state.count += 1
            if state.lines.count < Self.most { state.lines.append(record.line(now: nil)) }
        }
    }

    /// The report; nil without refused requests.
    var text: String? {
        let (lines, count) = state.withLock { $0 }
        guard count > 0 else { return nil }
        let head = "cumulus: \(Counted.text(count, "request was", "requests were")) refused, in whole or in part"
        let more = count > lines.count ? ["… and \(count - lines.count) more"] : []
        return ([head] + (lines.map(PlainText.line) + more).map { "  " + $0 }).joined(separator: "\n")
    }
}
