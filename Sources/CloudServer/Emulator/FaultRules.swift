package import CloudModel
import Synchronization

/// The faults that tests have asked of a development server, in the order they came; the first that decides does.
package final class FaultRules: Sendable {
    private struct State {
        var rules: [FaultRule] = []
        var lastID = 0
    }

    private static let most = 100

    private let state = Mutex(State())

    package init() {}

    /// - Returns: its id.
    /// - Throws: `BAD_REQUEST` naming the member at fault, or when there are too many.
    @discardableResult
    package func add(_ object: JSONObject) throws -> Int {
        try state.withLock { state in
            guard state.rules.count < Self.most else {
                throw ServerError.badRequest("there are \(Self.most) faults, and no more may be; delete them first")
            }
            state.rules.append(try FaultRule(object, id: state.lastID + 1))
            state.lastID += 1
            return state.lastID
        }
    }

    func removeAll() { state.withLock { $0.rules = [] } }

    /// The rule that decides about a request, and what it has in mind.
    func decision(_ subject: FaultSubject) -> (id: Int, effect: FaultEffect)? {
        state.withLock { state in
            for index in state.rules.indices where state.rules[index].decides(subject) {
                return (state.rules[index].id, state.rules[index].effect)
            }
            return nil
        }
    }

    var isEmpty: Bool { state.withLock { $0.rules.isEmpty } }

    /// Whether one of them is for a user's requests.
    var nameUsers: Bool { state.withLock { $0.rules.contains { $0.user != nil } } }

    func list() -> JSONWriter {
        let rules = state.withLock { $0.rules }
        var json = JSONWriter()
        json.object {
            $0.key("faults")
            $0.array { json in
                for rule in rules { json.object { rule.write(to: &$0) } }
            }
        }
        return json
    }
}
