import Synchronization

/// What each record may be, going by what was acknowledged, refused or left unanswered.
final class Ledger: Sendable {
    /// Records that were written together: after an unanswered request all of them are there or none.
    struct Batch: Sendable {
        let names: [String]
    }

    private struct State {
        var possible: [String: [Version]] = [:]
        var unansweredBatches: [Batch] = []
        var assets: [String: [UInt8]] = [:]
        var acknowledged = 0
        var unanswered = 0
    }

    private let state = Mutex(State())

    var acknowledged: Int { state.withLock { $0.acknowledged } }
    var unanswered: Int { state.withLock { $0.unanswered } }
    var names: [String] { state.withLock { Array($0.possible.keys) } }

    /// The bytes of assets, by their records' names.
    var assets: [String: [UInt8]] { state.withLock { $0.assets } }

    /// An answer came: the record holds an asset of these bytes.
    func acknowledge(_ name: String, asset bytes: [UInt8]) {
        state.withLock {
            $0.assets[name] = bytes
            $0.acknowledged += 1
        }
    }

    /// The states `name` may be in; a record nobody wrote is absent.
    func possible(_ name: String) -> [Version] { state.withLock { $0.possible[name] ?? [.absent] } }

    /// An answer came: the record is in this state and no other.
    func acknowledge(_ name: String, _ version: Version) {
        state.withLock {
            $0.possible[name] = [version]
            $0.acknowledged += 1
        }
    }

    /// No answer came: the record is as before or in one of these states.
    func leaveOpen(_ name: String, _ versions: [Version]) {
        state.withLock {
            $0.possible[name, default: [.absent]] += versions
            $0.unanswered += 1
        }
    }

    func leaveOpen(_ batch: Batch) { state.withLock { $0.unansweredBatches.append(batch) } }

    /// The server was looked at: what it holds settles what was open.
    func settle(_ name: String, _ version: Version) { state.withLock { $0.possible[name] = [version] } }

    func takeUnansweredBatches() -> [Batch] {
        state.withLock { state in
            defer { state.unansweredBatches = [] }
            return state.unansweredBatches
        }
    }
}
