import CloudModel

/// The steps that answer a request, of every kind.
///
/// A step answers the call itself, refuses it by throwing, or goes on to the rest of the list, and may change the reply
/// that comes back. Nothing before the endpoint waits; an endpoint that does says so by its reply.
enum RequestSteps {
    typealias Step = @Sendable (RequestCall, Responder, Rest) throws -> Reply

    /// In order. The first three have their part when the answer comes back.
    static let all: [Step] = [record, decorate, render, host, preflight, rate, route, coding, endpoint]

    /// The steps behind the current one.
    struct Rest {
        fileprivate let call: RequestCall
        fileprivate let responder: Responder
        fileprivate let next: Int

        func callAsFunction() throws -> Reply {
            try RequestSteps.all[next](call, responder, Rest(call: call, responder: responder, next: next + 1))
        }
    }

    static func reply(to call: RequestCall, by responder: Responder) throws -> Reply {
        try Rest(call: call, responder: responder, next: 0)()
    }

    /// Gives the answer its id, and keeps a record of the request.
    private static func record(_ call: RequestCall, _ responder: Responder, _ rest: Rest) throws -> Reply {
        let reply = try rest()
        if case .now(let response) = reply { return .now(responder.finished(response, call)) }
        return reply.map { responder.finished($0, call) }
    }

    /// Adds what all answers to programs have. No other site may read what a page tells the person who is signed in.
    private static func decorate(_ call: RequestCall, _ responder: Responder, _ rest: Rest) throws -> Reply {
        let reply = try rest()
        if call.kind == .page { return reply }
        if case .now(let response) = reply { return .now(responder.decorated(response, for: call.request)) }
        return reply.map { responder.decorated($0, for: call.request) }
    }

    /// Answers errors in the way of the route.
    private static func render(_ call: RequestCall, _ responder: Responder, _ rest: Rest) throws -> Reply {
        do {
            let reply = try rest()
            if case .now = reply { return reply }
            return reply.recovering { try await responder.answer(to: $0, call) }
        } catch {
            return .work { .now(try await responder.answer(to: error, call)) }
        }
    }

    /// Refuses a request whose Host header is missing or doubtful.
    private static func host(_ call: RequestCall, _ responder: Responder, _ rest: Rest) throws -> Reply {
        responder.noteForwarding(call.request)
        if let fault = HostField.fault(call.request.head) { throw fault }
        return try rest()
    }

    /// Answers a browser that asks whether a page may send a request.
    private static func preflight(_ call: RequestCall, _ responder: Responder, _ rest: Rest) throws -> Reply {
        guard call.request.method == .options, call.match?.row.kind != .page else { return try rest() }
        return .now(CrossOrigin.preflight(call.request))
    }

    /// Counts a request for its address, unless its credentials stand for somebody else.
    private static func rate(_ call: RequestCall, _ responder: Responder, _ rest: Rest) throws -> Reply {
        if responder.rates.limitsAddresses, call.counting == .first {
            try responder.count(call.request, call.context)
        }
        return try rest()
    }

    /// Refuses a path that nothing answers, and a method that it does not take.
    private static func route(_ call: RequestCall, _ responder: Responder, _ rest: Rest) throws -> Reply {
        guard let match = call.match else { throw UnknownPath.refusal(of: call.request) }
        guard call.route != nil else { throw RequestRefusal(call.request.method, of: match.methods) }
        return try rest()
    }

    /// Refuses a body in a coding that is not taken.
    private static func coding(_ call: RequestCall, _ responder: Responder, _ rest: Rest) throws -> Reply {
        if let refusal = ContentCoding.refusal(of: call.request) { throw refusal }
        return try rest()
    }

    /// Answers the request.
    private static func endpoint(_ call: RequestCall, _ responder: Responder, _ rest: Rest) throws -> Reply {
        guard let route = call.route else { throw UnknownPath.refusal(of: call.request) }
        return try responder.reply(route, call)
    }
}
