import CloudHTTP
import CloudModel
import CloudStore

/// An authenticated request with its body, at a database endpoint. A class, since each part of the answer refers to it.
final class DatabaseVisit: Sendable {
    let entry: DatabaseEntry
    let identity: Identity
    let body: JSONObject
    /// The caller's name for limits in flight.
    let caller: String
    let isAnonymous: Bool
    let observer: (any CallObserver)?

    init(
        entry: DatabaseEntry, identity: Identity, body: JSONObject, caller: String, isAnonymous: Bool,
        observer: (any CallObserver)?
    ) {
        self.entry = entry
        self.identity = identity
        self.body = body
        self.caller = caller
        self.isAnonymous = isAnonymous
        self.observer = observer
    }

    private var responder: WireService { entry.responder }
    private var trace: RequestTrace { entry.context.trace }

    /// The endpoint's reply: synchronous for a read with all data in memory.
    func reply(_ endpoint: DatabaseEndpoint) throws -> Reply {
        do {
            try identity.count(in: responder.rates)
            let allowance = responder.bounds.allowance(for: caller)
            entry.context.exchange?.hold(allowance)
            if let reply = try atOnce(endpoint, allowance) { return reply }
            return .work { [self] in try await watched { .now(try await answer(endpoint, allowance)) } }
        } catch {
            observer?.note(error)
            throw error
        }
    }

    private func watched(_ body: () async throws -> Reply) async throws -> Reply {
        do { return try await body() } catch {
            observer?.note(error)
            throw error
        }
    }

    /// Nil for a waiting endpoint, a closed store, or an unknown user record.
    private func atOnce(_ endpoint: DatabaseEndpoint, _ allowance: ResponseAllowance) throws -> Reply? {
        if case .work = endpoint { return nil }
        guard responder.interference?.mayChange(entry.request) != true,
            let store = try responder.stores.storeAtHand(
                container: identity.container, environment: entry.place.environment),
            knowsUser(store)
        else { return nil }
        let call = call(store, allowance, nil)
        switch endpoint {
        case .read(let endpoint): return try reply(try endpoint(call), allowance)
        case .write(let endpoint): return reply(try endpoint(call), allowance)
        case .work: return nil
        }
    }

    private func reply(_ reading: StoreRead<JSONWriter>, _ allowance: ResponseAllowance) throws -> Reply {
        if let writer = try reading.atOnce(responder.bounds.areTraced ? trace : nil) {
            return .now(response(writer, allowance, nil))
        }
        return .work { [self] in
            try await watched {
                let writer = try await responder.bounds.reading(as: caller, entry.context) {
                    try await reading.answer()
                }
                return .now(response(writer, allowance, nil))
            }
        }
    }

    private func reply(_ write: PreparedWrite, _ allowance: ResponseAllowance) -> Reply {
        switch write {
        case .queued(let start):
            return .started(
                StartedWork { [self] done in
                    start(responder.bounds.areTraced ? trace : nil) { [self] size, writer in
                        let answer = { @Sendable [self] () throws -> Reply in
                            do { return .now(response(try writer(), allowance, nil)) } catch {
                                observer?.note(error)
                                throw error
                            }
                        }
                        // A large answer is made in a task, since other connections share the loop.
                        done(size > ResponseAllowance.mostBrief ? { @Sendable in .work(answer) } : answer)
                    }
                })
        case .awaited(let write):
            return .work { [self] in
                try await watched {
                    .now(
                        response(
                            try await responder.bounds.reading(as: caller, entry.context, write), allowance, nil))
                }
            }
        }
    }

    private func knowsUser(_ store: EnvironmentStore) -> Bool {
        guard entry.makesUser, let user = identity.caller.userRecordName else { return true }
        return store.users.knows(user)
    }

    private func answer(_ endpoint: DatabaseEndpoint, _ allowance: ResponseAllowance) async throws -> Response {
        guard let interference = responder.interference, interference.mayChange(entry.request) else {
            return try await answer(endpoint, allowance, nil)
        }
        return try await interference.answer(entry.request, identity, body, entry.context) {
            try await answer(endpoint, allowance, $0)
        }
    }

    private func answer(
        _ endpoint: DatabaseEndpoint, _ allowance: ResponseAllowance, _ fault: CallFault?
    ) async throws -> Response {
        let store = try await responder.stores.store(
            container: identity.container, environment: entry.place.environment)
        let call = call(store, allowance, fault)
        let writer = try await responder.bounds.reading(as: caller, entry.context) {
            if entry.makesUser, let user = identity.caller.userRecordName { try await store.users.ensure(user) }
            return try await endpoint.answer(call)
        }
        return response(writer, allowance, fault)
    }

    private func call(
        _ store: EnvironmentStore, _ allowance: ResponseAllowance, _ fault: CallFault?
    ) -> DatabaseCall {
        DatabaseCall(
            identity: identity, scope: entry.scope, body: body, options: entry.query, store: store,
            services: responder.callServices, origin: responder.origin(of: entry.request), allowance: allowance,
            trace: trace, fault: fault)
    }

    private func response(_ writer: JSONWriter, _ allowance: ResponseAllowance, _ fault: CallFault?) -> Response {
        if !writer.refusals.isEmpty, trace.notes.failed == 0 {
            trace.note(writer.refusals.enumerated().map(OperationRecord.init))
        }
        if fault?.isUnheard != true { observer?.note(writer) }
        // Compresses anonymous answers only: compressed lengths could leak secrets (BREACH), and these answers hold none.
        var response = Response.json(
            writer, counting: allowance, isPacked: isAnonymous && Gzip.isTaken(by: entry.request))
        response.headers[.apple.webAuthToken] = identity.rotatedToken
        return response
    }
}
