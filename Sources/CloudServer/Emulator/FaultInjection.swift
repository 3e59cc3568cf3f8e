import CloudModel
import HTTPTypes
import Hummingbird

extension Responder {
    /// Answers a request of a development server by `endpoint`, unless a fault decides otherwise.
    func faulted(
        _ request: Request, _ match: Router.Match, _ context: Context, _ endpoint: () async throws -> Response
    ) async throws -> Response {
        guard FaultRule.isFor(match.row), let effect = try fault(of: request, match, context) else {
            return try await endpoint()
        }
        if let latency = effect.latency { try? await Task.sleep(for: .milliseconds(latency)) }
        switch effect.outcome {
        case .error(let code, let retryAfter):
            throw ServerError(code, "a test has asked for this fault", .server(.injected), retryAfter: retryAfter)
        case .hangUpBefore:
            context.channel.close(promise: nil)
            return Response(status: .ok)
        case .hangUpAfter:
            // An error would tell as much as an answer.
            defer { context.channel.close(promise: nil) }
            return try await endpoint()
        case nil: return try await endpoint()
        }
    }

    /// The header first: whoever sends it means this very request.
    private func fault(of request: Request, _ match: Router.Match, _ context: Context) throws -> FaultEffect? {
        if let text = request.headers[.fault] {
            let object: JSONObject
            do { object = try JSONParser.parse(Array(text.utf8)).object ?? JSONObject() } catch {
                throw ServerError.badRequest(#"X-Cumulus-Fault: must be JSON such as {"error": "THROTTLED"}"#)
            }
            try EmulatorMember.refuseOthers(than: FaultEffect.members, in: object)
            let effect = try FaultEffect(object)
            context.trace.note(.fault(rule: nil))
            return effect
        }
        guard let decision = configuration.faults.decision(route: match.row.name, container: match.values.container)
        else { return nil }
        context.trace.note(.fault(rule: decision.id))
        return decision.effect
    }
}

extension HTTPField.Name {
    static let fault = HTTPField.Name("X-Cumulus-Fault")!
}
