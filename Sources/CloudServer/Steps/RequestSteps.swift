import CloudHTTP
import CloudModel

/// The middleware of all requests.
///
/// A step answers, refuses by throwing, or calls the rest of the list, whose reply it may change. No step before the
/// endpoint waits; a waiting endpoint returns a pending reply.
enum RequestSteps {
    typealias Step = @Sendable (RequestCall, Responder, Rest) throws -> Reply

    /// In order. The first three act on the reply, again after a wait or started work.
    static let all: [Step] = [record, decorate, render, wait, host, preflight, rate, route, coding, endpoint]

    /// The steps after the current one.
    struct Rest {
        fileprivate let next: Int

        func callAsFunction(_ call: RequestCall, _ responder: Responder) throws -> Reply {
            try RequestSteps.all[next](call, responder, Rest(next: next + 1))
        }
    }

    static func reply(to call: RequestCall, by responder: Responder) throws -> Reply {
        try Rest(next: 0)(call, responder)
    }

    /// Adds the request ID to the answer, and records the request.
    private static func record(_ call: RequestCall, _ responder: Responder, _ rest: Rest) throws -> Reply {
        let reply = try rest(call, responder)
        guard case .now(var response) = reply else { return reply.map { responder.finish(&$0, call) } }
        responder.finish(&response, call)
        return .now(response)
    }

    /// Adds shared headers to API answers. Pages get no CORS headers: other sites must not read a signed-in user's pages.
    private static func decorate(_ call: RequestCall, _ responder: Responder, _ rest: Rest) throws -> Reply {
        let reply = try rest(call, responder)
        if call.kind == .page { return reply }
        guard case .now(var response) = reply else {
            return reply.map { CrossOrigin.decorate(&$0, for: call.request.headers) }
        }
        CrossOrigin.decorate(&response, for: call.request.headers)
        return .now(response)
    }

    /// Renders errors in the route's format.
    private static func render(_ call: RequestCall, _ responder: Responder, _ rest: Rest) throws -> Reply {
        do {
            let reply = try rest(call, responder)
            if case .now = reply { return reply }
            return reply.recovering { try await responder.answer(to: $0, call) }
        } catch {
            return .work { .now(try await responder.answer(to: error, call)) }
        }
    }

    /// Skips the steps that a request has passed before its wait, or before its work on another thread.
    private static func wait(_ call: RequestCall, _ responder: Responder, _ rest: Rest) throws -> Reply {
        try call.takeResumed() ?? rest(call, responder)
    }

    /// Refuses a missing, repeated or malformed Host header.
    private static func host(_ call: RequestCall, _ responder: Responder, _ rest: Rest) throws -> Reply {
        responder.noteForwarding(call.request)
        if let fault = HostField.fault(call.request.head) { throw fault }
        return try rest(call, responder)
    }

    /// Answers a CORS preflight.
    private static func preflight(_ call: RequestCall, _ responder: Responder, _ rest: Rest) throws -> Reply {
        guard call.request.method == .options, call.match?.info.kind != .page else { return try rest(call, responder) }
        return .now(CrossOrigin.preflight(call.request))
    }

    /// Counts the request against its address, unless the route counts by credentials.
    private static func rate(_ call: RequestCall, _ responder: Responder, _ rest: Rest) throws -> Reply {
        if responder.rates.limitsAddresses, call.counting == .first {
            try responder.count(call.request, call.context)
        }
        return try rest(call, responder)
    }

    /// Refuses an unknown path and an unsupported method.
    private static func route(_ call: RequestCall, _ responder: Responder, _ rest: Rest) throws -> Reply {
        guard let match = call.match else { throw UnknownPath.refusal(of: call.request) }
        guard call.route != nil else { throw RequestRefusal(call.request.method, of: match.methods) }
        return try rest(call, responder)
    }

    /// Refuses a body with a Content-Encoding.
    private static func coding(_ call: RequestCall, _ responder: Responder, _ rest: Rest) throws -> Reply {
        if let refusal = ContentCoding.refusal(of: call.request) { throw refusal }
        return try rest(call, responder)
    }

    private static func endpoint(_ call: RequestCall, _ responder: Responder, _ rest: Rest) throws -> Reply {
        guard let route = call.route else { throw UnknownPath.refusal(of: call.request) }
        return try responder.reply(route, call)
    }
}
