import CloudHTTP
package import CloudWire
package import CloudModel

/// A fault's effect on a request.
package struct FaultEffect: Hashable, Sendable {
    /// Replaces the endpoint's answer.
    package enum Outcome: Hashable, Sendable {
        case error(ServerError.Code, retryAfter: Int?)
        /// The connection closes before the endpoint runs.
        case hangUpBefore
        /// The endpoint runs, and the connection closes without an answer.
        case hangUpAfter
    }

    /// The delay before the endpoint, in milliseconds; nil for none.
    package var latency: Int?
    /// Nil to run the endpoint normally.
    package var outcome: Outcome?
    /// The fault inside the call; nil for none.
    package var inside: CallFault?
    /// The fault in the transferred bytes; nil for none.
    package var transfer: TransferFault?
    /// The fault of a notification; nil for a request fault.
    package var push: PushFault?

    /// The largest `latency` in milliseconds, and the largest `retryAfter` in seconds.
    package static let (longest, latest) = (60_000, 86_400)
    /// The rule members that describe request faults.
    package static let members =
        ["error", "retryAfter", "hangUp", "latency", "operation", "pageSize", "syncToken"] + TransferFault.members

    /// - Throws: `BAD_REQUEST` naming the member at fault.
    package init(_ object: JSONObject) throws {
        latency = try EmulatorMember.integer("latency", of: object, in: 0...Self.longest)
        push = try PushFault(object)
        if let push {
            guard push == .lost || push == .twice || latency != nil else {
                throw ServerError.badRequest(
                    "latency: is missing; it is the number of milliseconds for which a notification is \(known: push.rawValue)"
                )
            }
            try EmulatorMember.refuse(Self.members.filter { $0 != "latency" }, in: object, "with push")
            return
        }
        transfer = try TransferFault(object)
        outcome = try Self.outcome(object)
        inside = try CallFault(object)
        if inside?.operation != nil, case .error(let code, let retryAfter) = outcome {
            inside?.error = Self.error(code, retryAfter)
            outcome = nil
        }
        guard latency != nil || outcome != nil || inside != nil || transfer != nil else {
            throw ServerError.badRequest(
                "a fault needs error, hangUp, latency, pageSize, syncToken, bandwidth, cutAt or push")
        }
    }

    private static func outcome(_ object: JSONObject) throws -> Outcome? {
        let retryAfter = try EmulatorMember.integer("retryAfter", of: object, in: 0...Self.latest)
        let error = try EmulatorMember.choice("error", of: object, ServerError.Code.allCases.map(\.rawValue))
        let hangUp = try EmulatorMember.choice("hangUp", of: object, ["before", "after"])
        guard error == nil || hangUp == nil else {
            throw ServerError.badRequest(
                "error and hangUp: a fault has one of them, since nobody receives an error after a hang-up")
        }
        guard retryAfter == nil || error != nil else {
            throw ServerError.badRequest("retryAfter: is for a fault with error only")
        }
        if let code = error.flatMap(ServerError.Code.init) {
            let passes = [.throttled, .tryAgainLater].contains(code)
            return .error(code, retryAfter: retryAfter ?? (passes ? 1 : nil))
        }
        return hangUp.map { $0 == "before" ? .hangUpBefore : .hangUpAfter }
    }

    package static func error(_ code: ServerError.Code, _ retryAfter: Int?) -> ServerError {
        ServerError(code, "a test has asked for this fault", .server(.injected), retryAfter: retryAfter)
    }

    package func write(to json: inout JSONWriter) {
        switch outcome {
        case .error(let code, let retryAfter):
            json.member("error", code.rawValue)
            if let retryAfter { json.member("retryAfter", Int64(retryAfter)) }
        case .hangUpBefore: json.member("hangUp", "before")
        case .hangUpAfter: json.member("hangUp", "after")
        case nil: break
        }
        if let latency { json.member("latency", Int64(latency)) }
        if let operation = inside?.operation, let error = inside?.error {
            json.member("error", error.code.rawValue)
            if let retryAfter = error.retryAfter { json.member("retryAfter", Int64(retryAfter)) }
            json.member("operation", Int64(operation))
        }
        if let pageSize = inside?.pageSize { json.member("pageSize", Int64(pageSize)) }
        if inside?.refusesSyncTokens == true { json.member("syncToken", "refused") }
        transfer?.write(to: &json)
        json.member("push", push?.rawValue)
    }
}
