import CloudModel
import CloudStore
import Hummingbird

extension Responder {
    /// Answers a call under `/admin/1`.
    func answer(_ request: Request, _ match: AdminRoutes.Match, _ context: Context) async throws -> Response {
        let client = ClientAddress(
            headers: request.headers, peer: context.peer, trustForwardedFor: configuration.trustForwardedFor)
        let (container, token) = try await ManagementGate(accounts: accounts, guessing: site.guessing).container(
            match.container, request.headers, from: client)
        context.trace.note(.credentials(.managementToken(token.id)))
        context.trace.note(container: container.name)
        guard let endpoint = match.endpoints[request.method] else {
            throw ServerError(.internalError, "a method of no admin route was asked for", .server(.fault))
        }
        // After the token: a schema may be larger than what strangers may send.
        let body = try await request.collect(atMost: configuration.limits.schemaBytes, setting: "limit.schemaBytes")
        let call = AdminCall(
            administration: StoreAdministration(
                container: container, environment: match.environment, accounts: accounts, stores: stores,
                limits: configuration.limits),
            parameters: match.parameters, headers: request.headers,
            query: FormFields((request.uri.query ?? "").utf8), body: body)
        let response = try await endpoint(call)
        // Roles are changed whatever else the query says.
        let isDryRun = match.pattern.hasPrefix("schema") && (try? call.isDryRun()) == true
        if request.method != .get, !isDryRun {
            site.security.note(
                .adminChange, from: client,
                [
                    "by": "management token \(token.id) (\(token.name))", "container": container.name,
                    "environment": match.environment.rawValue, "change": "\(request.method) \(match.pattern)",
                    "about": match.parameters.isEmpty ? nil : match.parameters.joined(separator: " "),
                ])
        }
        return response
    }
}
