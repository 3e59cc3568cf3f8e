import CloudAccounts
package import CloudHTTP
package import CloudWire
package import CloudModel
import CloudStore
import NIOCore

/// Faults in requests and their answers.
extension EmulatorHooks {
    package var isActive: Bool { !faults.isEmpty }

    package func mayChange(_ request: Request) -> Bool { !faults.isEmpty || request.headers[.cumulus.fault] != nil }

    package func answer(
        _ request: Request, _ identity: Identity, _ body: JSONObject, _ context: CloudRequestContext,
        _ endpoint: (CallFault?) async throws -> Response
    ) async throws -> Response {
        var subject = FaultSubject(
            route: context.route, container: identity.container.name, recordTypes: FaultSubject.recordTypes(body))
        if let user = identity.caller.userRecordName {
            subject.userNames = try await faults.names(of: user, in: identity.container, accounts)
        }
        return try await answer(request, subject, context) { _, fault in try await endpoint(fault) }
    }

    package func answer(
        _ request: Request, uploadTo token: String, _ context: CloudRequestContext,
        _ endpoint: (Request) async throws -> Response
    ) async throws -> Response {
        var subject = FaultSubject(route: context.route)
        if let (upload, place, _) = links.open(token),
            let container = try await accounts.reader().container(named: place.container)
        {
            subject.container = container.name
            subject.userNames = try await faults.names(of: upload.user, in: container, accounts)
        }
        return try await answer(request, subject, context) { request, _ in try await endpoint(request) }
    }

    /// Answers a request by `endpoint`, unless a fault changes the outcome.
    private func answer(
        _ request: Request, _ subject: FaultSubject, _ context: CloudRequestContext,
        _ endpoint: (Request, CallFault?) async throws -> Response
    ) async throws -> Response {
        guard let effect = try fault(of: request, subject, context) else {
            return try await endpoint(request, nil)
        }
        if let latency = effect.latency { try? await Task.sleep(for: .milliseconds(latency)) }
        guard let transfer = effect.transfer else {
            return try await respond(effect, context) { try await endpoint(request, $0) }
        }
        if context.route == UploadRoute.name {
            let slow = transfer.upload(request, context.channel)
            return try await respond(effect, context) { try await endpoint(slow, $0) }
        }
        let response = try await respond(effect, context) { try await endpoint(request, $0) }
        return transfer.respond(response, context.channel)
    }

    private func respond(
        _ effect: FaultEffect, _ context: CloudRequestContext, _ endpoint: (CallFault?) async throws -> Response
    ) async throws -> Response {
        switch effect.outcome {
        case .error(let code, let retryAfter):
            throw FaultEffect.error(code, retryAfter)
        case .hangUpBefore:
            context.channel.close(promise: nil)
            return Response(status: .ok)
        case .hangUpAfter:
            // Closes after errors too, because an error is also an answer.
            defer { context.channel.close(promise: nil) }
            var inside = effect.inside ?? CallFault()
            inside.isUnheard = true
            return try await endpoint(inside)
        case nil: return try await endpoint(effect.inside)
        }
    }

    /// The request's own fault header takes precedence over the rules.
    private func fault(of request: Request, _ subject: FaultSubject, _ context: CloudRequestContext) throws
        -> FaultEffect?
    {
        if let text = request.headers[.cumulus.fault] {
            let object: JSONObject
            do { object = try JSONParser.parse(Array(text.utf8)).object ?? JSONObject() } catch {
                throw ServerError.badRequest(#"X-Cumulus-Fault: must be JSON such as {"error": "THROTTLED"}"#)
            }
            try EmulatorMember.refuseOthers(than: FaultEffect.members, in: object)
            let effect = try FaultEffect(object)
            context.trace.note(.fault(rule: nil))
            return effect
        }
        guard let decision = faults.decision(subject) else { return nil }
        context.trace.note(.fault(rule: decision.id))
        return decision.effect
    }
}
