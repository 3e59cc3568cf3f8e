import Synchronization

/// What turned out wrong, gathered from every writer and check.
final class Findings: Sendable {
    private static let kept = 50

    private let state = Mutex<[String]>([])

    var all: [String] { state.withLock { $0 } }

    func add(_ finding: String) {
        state.withLock { if $0.count < Self.kept { $0.append(finding) } }
    }
}
