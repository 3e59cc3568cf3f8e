package import CloudAccounts
import CloudEngine
package import CloudHTTP
import CloudModel
package import CloudOperations

extension WireService {
    /// The management token of a request, noted in its trail.
    ///
    /// - Throws: as ``ManagementGate/token(_:from:)`` does.
    package func managementToken(
        _ request: Request, from client: ClientAddress?, _ context: CloudRequestContext
    ) async throws -> ManagementToken {
        let token = try await ManagementGate(accounts: accounts, guessing: guessing).token(
            request.headers, from: client)
        context.trace.note(.credentials(.managementToken(token.id)))
        return token
    }

    /// Whether the answer may reveal the program's version, and with it the version's known faults: on a development
    /// server, or for a management token that the accounts file confirms within a second. The answer itself needs no
    /// database, so it must not wait longer for the check.
    package func mayKnowVersion(_ request: Request, _ context: CloudRequestContext) async -> Bool {
        if http.dev { return true }
        guard request.headers[.authorization] != nil else { return false }
        let client = http.client(of: request, context)
        let lookup = Task { (try? await managementToken(request, from: client, context)) != nil }
        return await value(of: lookup, within: .seconds(1)) ?? false
    }

    /// Answers a call under `/admin/1`.
    package func respond(_ request: Request, _ match: AdminRoutes.Match, _ context: CloudRequestContext) async throws
        -> Response
    {
        let client = http.client(of: request, context)
        let token = try await managementToken(request, from: client, context)
        if let name = match.values.container, let known = try await accounts.reader().container(named: name) {
            context.trace.note(container: known.name)
        }
        let identity = OperatorIdentity(token)
        let route = match.operation.route
        try identity.require(route.scopes)
        if let place = match.values.place { try identity.require(container: place.container) }
        // Read after the token is checked: the body limit for schemas is higher than the limit for anonymous requests.
        let body = try await request.collect(atMost: http.limits.schemaBytes, setting: "limit.schemaBytes")
        let call = AdminCall(
            route: route, parameters: match.values.texts, headers: request.headers,
            query: FormFields(request.query.utf8), body: body, mostValues: http.limits.requestValues)
        let arguments = try call.arguments()
        let operations = StoreOperations(workplace: workplace(origin: origin(of: request)), identity: identity)
        let answer = try await match.operation.run(operations, arguments)
        let response = try Response(answer.output(prefersJSON: call.prefersJSON), downloads)
        if route.method != .get, !route.isDryRun(arguments) {
            let about = match.values.place == nil ? call.parameters[...] : call.parameters.dropFirst(2)
            security.note(
                .adminChange, from: client,
                [
                    "by": identity.name, "container": match.values.container,
                    "environment": match.values.environment?.rawValue,
                    "change": "\(request.method) \(route.path.trimmingPrefix(OperationRoute.environment))",
                    "about": about.isEmpty ? nil : about.joined(separator: " "),
                ])
        }
        return response
    }

    /// The stores for operations, with asset links to `origin`.
    package func workplace(origin: String) -> Workplace {
        var workplace = Workplace(folder: folder, accounts: accounts, stores: stores, limits: http.limits)
        workplace.settings = settings.settings
        workplace.passwords = settings.passwords
        workplace.shown = { [links] container, environment, body in
            links.links(container: container.name, environment: environment, origin: origin).filled(body)
        }
        workplace.uploadLink = { [links] container, environment, ticket in
            links.links(container: container.name, environment: environment, origin: origin).upload(ticket)
        }
        workplace.rehearse =
            Rehearsal(
                accounts: accounts, stores: stores, limits: http.limits, links: links, origin: origin
            ).run
        workplace.backups = backups
        workplace.mail = { [mailer] in try await mailer.send($0, to: $1) }
        workplace.webhookDoubt =
            WebhookAddresses(allowPrivate: settings.webhooks.allowPrivateAddresses).doubt(about:)
        workplace.examine = { [providers, http] in
            await ProviderExamination(of: $0, providers, publicURL: http.publicURL).steps()
        }
        return workplace
    }
}

extension WebhookAddresses {
    /// Refuses a host to which webhooks may not connect.
    ///
    /// - Returns: the lookup failure when the host cannot be resolved now; nil when the host is permitted.
    package func doubt(about host: String) async throws -> String? {
        do {
            _ = try await permitted(of: host)
            return nil
        } catch let refusal as Refusal {
            throw ServerError.badRequest(
                "\(known: refusal.description); if that is meant, set webhook.allowPrivateAddresses here and for the server"
            )
        } catch let failure as HostLookup.Failure {
            return failure.description
        }
    }
}
