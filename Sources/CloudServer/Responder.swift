import CloudAccounts
package import CloudHTTP
import CloudWire
import CloudPages
import CloudEmulator
package import CloudModel
import CloudStore
import Logging
package import NIOCore

/// Answers requests: matches the route, authenticates, reads the body, calls the endpoint, renders errors.
///
/// A class, since each connection and request refers to it, and it holds several kilobytes of references.
package final class Responder: RequestHandler {
    package typealias Context = CloudRequestContext

    let service: WireService
    let site: Site
    let router: Router
    let bounds: RequestBounds
    let rates: RateLimits
    let recorder: RequestRecorder
    let accounts: AccountStore
    let stores: ContainerStores
    let logger: Logger
    private let isDevelopment: Bool

    init(_ service: WireService, _ site: Site) {
        self.service = service
        self.site = site
        router = Router(dev: service.http.dev)
        (bounds, rates, recorder) = (service.bounds, service.rates, service.recorder)
        (accounts, stores, logger) = (service.accounts, service.stores, service.logger)
        isDevelopment = service.http.dev
    }

    var configuration: HTTPSettings { service.http }

    /// Answers a request in the caller's task.
    package func respond(to request: Request, context: Context) async throws -> Response {
        let call = RequestCall(request, router.match(request.path, for: request.method), context)
        return try await reply(to: call).response { [self] resumed in
            call.resume(with: resumed)
            return try reply(to: call)
        }
    }

    package func match(_ path: Substring, for method: HTTPRequest.Method) -> RouteMatch? {
        router.match(path, for: method)
    }

    package func reply(to call: RequestCall) throws -> Reply { try RequestSteps.reply(to: call, by: self) }

    package func refuse(_ request: HTTPRequest, of channel: any Channel, _ error: ServerError) -> Response {
        let trace = RequestTrace()
        trace.refuse(error)
        let address = ClientAddress(headers: [:], peer: channel.remoteAddress, trustForwardedFor: false)?.text
        recorder.note(trace, request, nil, address: address, status: error.code.status, bytesOut: nil)
        return ConnectionRefusal(error).answer(to: request, trace)
    }

    /// Logs `X-Forwarded-For` headers that are untrusted or malformed.
    func noteForwarding(_ request: Request) {
        if !bounds.trustForwardedFor, request.headers[.forwardedFor] != nil {
            service.security.noteUntrustedForwardedFor()
        }
        if bounds.trustForwardedFor, let entry = ClientAddress.unreadable(request.headers) {
            service.security.noteUnreadableForwardedFor(entry)
        }
    }

    /// Adds the shared headers to an answer, and records the request.
    func finish(_ response: inout Response, _ call: RequestCall) {
        let (request, context) = (call.request, call.context)
        response.common.requestUUID = context.trace.id
        if isDevelopment, response.status.code >= 400 {
            response.headers[.cumulus.request] = "\(service.origin(of: request))/admin/1/requests/\(context.trace.id)"
        }
        if let policy = service.origin.strictTransport { response.headers[.strictTransportSecurity] = policy }
        // After HEAD, clients would read a body as the start of the next answer.
        if request.method == .head { response = response.withoutBody() }
        recorder.note(
            context.trace, request.head, call.match, address: bounds.address(of: request, context),
            status: response.status, bytesOut: response.body.contentLength)
    }

    /// Renders an error as an answer.
    ///
    /// - Throws: the error itself if the request is not HTTP.
    func answer(to error: any Error, _ call: RequestCall) async throws -> Response {
        let (request, context) = (call.request, call.context)
        let error = call.counting == .onRefusal ? counted(error, request, context) : error
        if let match = call.match, case .wire(let route) = call.route {
            await noteRefusal(error, request, match, route, context)
        }
        return try await renderer(of: call.kind, call.route, request, context.trace).render(
            error, context.trace, logger)
    }

    /// Runs a route's endpoint.
    func reply(_ route: Route, _ call: RequestCall) throws -> Reply {
        let (request, context) = (call.request, call.context)
        switch route {
        case .wire(.database(let place, let scope, let endpoint)):
            return try DatabaseEntry(route.seen(request), context, place, scope, service).reply(endpoint)
        case .wire(.health) where request.headers[.authorization] == nil:
            return service.health.recentTroubles.map { .now(HealthResponse.make($0, hasVersion: configuration.dev)) }
                ?? .work { [self] in .now(try await respond(request, route, context)) }
        case .wait(.poll) where request.method != .head:
            return .work { [self] in
                let reply = try await service.courier.respond(call.request.parameters.pushToken, context)
                if case .later = reply { call.cutDown(bounds) }
                return reply
            }
        default:
            return .work { [self] in .now(try await respond(route.seen(request), route, context)) }
        }
    }

    private func respond(_ request: Request, _ route: Route, _ context: Context) async throws -> Response {
        switch route {
        case .wire(let route):
            return try await respond(request, route, context)
        case .page(let endpoint, let parameters):
            return try await PageResponder(site: site, bounds: bounds).respond(
                request, endpoint, parameters: parameters, context: context)
        case .upload(let token):
            let upload = AssetUpload(
                links: service.links, accounts: accounts, stores: stores, limits: configuration.limits,
                refused: rates.refusedUploads, address: bounds.address(of: request, context))
            let answer = { @Sendable in try await upload.respond($0, token: token, context.trace) }
            guard let interference = service.interference, interference.mayChange(request) else {
                return try await answer(request)
            }
            return try await interference.answer(request, uploadTo: token, context, answer)
        case .wait(.stream) where request.method != .head:
            return try await service.eventStream.respond(request, request.parameters, context)
        case .wait(let wait):
            return try await service.courier.look(request.parameters.pushToken, isStream: wait == .stream)
        }
    }

    private func respond(_ request: Request, _ route: WireRoute, _ context: Context) async throws -> Response {
        switch route {
        case .asset(let place, let key, let name):
            return try await service.downloads(context).contents(request, place, key: key, name: name)
        case .preview(let place, let key, let size):
            return try await service.downloads(context).preview(
                request, place, key: key, size: size,
                from: ClientAddress.network(of: bounds.address(of: request, context)))
        case .health:
            async let hasVersion = service.mayKnowVersion(request, context)
            return HealthResponse.make(await service.health.troubles(), hasVersion: await hasVersion)
        case .readiness:
            async let hasVersion = service.mayKnowVersion(request, context)
            return HealthResponse.make(await service.health.readinessTroubles(), hasVersion: await hasVersion)
        case .probe:
            return try RouteProbe(service: service).respond(request, context)
        case .admin(let match):
            return try await service.respond(request, match, context)
        case .requests(let id):
            return try await service.respond(request, requestWithID: id, context)
        case .front:
            return try FrontPage.respond(
                request, site: site, hasVersion: await service.mayKnowVersion(request, context))
        case .developmentSession:
            if let fault = DevelopmentGate(configuration).fault(request.head) {
                throw ServerError(.accessDenied, fault, .credentials(.notForTests))
            }
            let body = try Request.object(in: try await request.collect(atMost: DevelopmentSession.largestBody))
            return .json(try await DevelopmentSession(accounts: accounts).respond(body))
        case .exchange:
            return try await ExchangeEndpoints(request, context, service).exchange()
        case .exchangeNonce:
            return try await ExchangeEndpoints(request, context, service).nonce()
        case .notice(let provider):
            return try await ProviderNotices(request, context, service).respond(provider: provider)
        case .emulator(let route):
            guard let emulator = service.emulator else { throw UnknownPath.refusal(of: request) }
            return try await EmulatorEndpoints(emulator: emulator, service: service).respond(request, route)
        case .links(let place, let endpoint):
            return try await LinkEndpoints.respond(request, context, place, site, endpoint)
        case .database(let place, let scope, let endpoint):
            return try await DatabaseEntry(request, context, place, scope, service).reply(endpoint).response()
        case .requestAccess(let share):
            guard let home = try await accounts.environments.home(ofShortGUID: share) else { throw ShareState.notFound }
            let place = RequestPlace(container: home.container.name, environment: home.environment)
            return try await DatabaseEntry(request, context, place, .public, service).reply(
                .work { call in try await ShareEndpoints.requestAccess(share, call) }
            ).response()
        }
    }

    // MARK: Errors

    private func renderer(
        of kind: RouteKind, _ route: Route?, _ request: Request, _ trace: RequestTrace
    ) -> any OutcomeRenderer {
        switch kind {
        case .page: PageRenderer(site: site, request: request, back: PageLink.toConsole(from: request))
        case .upload:
            PageLink.toRecord(from: request).map { PageRenderer(site: site, request: request, back: $0) }
                ?? UploadRenderer()
        case .wait: StatusRenderer.poll
        case .wire: WireRenderer { try await self.redirectURL(for: $0, request, route, trace) }
        }
    }

    private func redirectURL(
        for error: ServerError, _ request: Request, _ route: Route?, _ trace: RequestTrace
    ) async throws -> String? {
        guard error.code == .authenticationRequired, let place = try await place(of: route, request, trace) else {
            return nil
        }
        return try await service.authenticator.signInURL(
            container: place.container, environment: place.environment, query: request.parameters,
            headers: request.headers, authority: request.head.authority)
    }

    /// The container of a route with user sign-in.
    private func place(of route: Route?, _ request: Request, _ trace: RequestTrace) async throws -> RequestPlace? {
        guard case .wire(let route) = route else { return nil }
        switch route {
        case .requestAccess(let share):
            guard let home = try await accounts.environments.home(ofShortGUID: share) else { return nil }
            return RequestPlace(container: home.container.name, environment: home.environment)
        case .exchange:
            guard let text = request.parameters.apiToken, let container = trace.notes.container else { return nil }
            let token = try await accounts.reader().apiToken(text)
            return RequestPlace(container: container, environment: token?.environment ?? .development)
        default: return route.place
        }
    }
}
