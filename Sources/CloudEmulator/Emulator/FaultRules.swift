package import CloudAccounts
package import CloudModel
import Synchronization

/// The fault rules set by tests on a development server, in order of creation; the first deciding rule applies.
package final class FaultRules: Sendable {
    private struct State {
        var rules: [FaultRule] = []
        var lastID = 0
        var fates = BoundedCache<PushKey, PushFate>(capacity: 10_000)
    }

    private static let most = 100

    private let state = Mutex(State())
    /// True while there are rules. Read by each request.
    private let hasRules = Atomic(false)

    /// The names of routes that accept faults.
    package let routes: [String]

    package init(routes: [String]) { self.routes = routes }

    /// - Returns: the new rule's id.
    /// - Throws: `BAD_REQUEST` naming the member at fault, or when there are too many rules.
    @discardableResult
    package func add(_ object: JSONObject) throws -> Int {
        try state.withLock { state in
            guard state.rules.count < Self.most else {
                throw ServerError.badRequest("there are \(Self.most) faults, and no more may be; delete them first")
            }
            state.rules.append(try FaultRule(object, id: state.lastID + 1, routes: routes))
            state.lastID += 1
            hasRules.store(true, ordering: .releasing)
            return state.lastID
        }
    }

    package func removeAll() {
        state.withLock { state in
            state.rules = []
            hasRules.store(false, ordering: .releasing)
            state.fates.removeAll { _ in true }
        }
    }

    /// The id and effect of the first rule that decides about the request; nil if no rule does.
    func decision(_ subject: FaultSubject) -> (id: Int, effect: FaultEffect)? {
        state.withLock { state in
            for index in state.rules.indices where state.rules[index].decides(subject) {
                return (state.rules[index].id, state.rules[index].effect)
            }
            return nil
        }
    }

    package var isEmpty: Bool { !hasRules.load(ordering: .acquiring) }

    /// A notification's fault, drawn once per notification; nil for none.
    func fate(of key: PushKey, _ subject: FaultSubject) -> PushFate? {
        state.withLock { state in
            if let known = state.fates[key] { return known.isMet ? nil : known }
            var fate = PushFate()
            for index in state.rules.indices where fate.fault == nil && state.rules[index].decides(subject) {
                let effect = state.rules[index].effect
                fate = PushFate(fault: effect.push, latency: .milliseconds(effect.latency ?? 0))
            }
            state.fates[key] = fate
            return fate.isMet ? nil : fate
        }
    }

    /// Ends the notification's fault.
    package func end(_ key: PushKey) { state.withLock { $0.fates[key] = PushFate() } }

    /// A user's names in fault rules: the record name, and the email address if any rule names a user.
    package func names(of user: String, in container: Container, _ accounts: AccountStore) async throws -> Set<String> {
        guard state.withLock({ $0.rules.contains { $0.user != nil } }) else { return [user] }
        let people = try await accounts.people.users([.recordName(user)], container: container.id)
        return Set([user] + people.compactMap { $0?.email })
    }

    package func list() -> JSONWriter {
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
