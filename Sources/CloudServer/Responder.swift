import CloudModel
import CloudStore
import Logging
import NIOCore

/// Answers requests: matches the route, authenticates, reads the body, calls the endpoint, renders errors.
///
/// A class, since each connection and request refers to it, and it holds several kilobytes of references.
package final class Responder: Sendable {
    package typealias Context = CloudRequestContext

    let configuration: ServerConfiguration
    let accounts: AccountStore
    let stores: ContainerStores
    let authenticator: Authenticator
    let links: AssetLinks
    let router: Router
    let site: Site
    let hub: NotificationHub
    let health: HealthCheck
    let bounds: RequestBounds
    let rates: RateLimits
    let recorder: RequestRecorder
    let courier: Courier
    let turns: PollTurns
    let loopTurns = LoopTurns()
    private let eventStream: EventStream
    let metrics: ServerMetrics
    let logger: Logger

    init(
        configuration: ServerConfiguration, pages: PageFiles, folder: DataFolder, accounts: AccountStore,
        stores: ContainerStores, hub: NotificationHub, metrics: ServerMetrics, logger: Logger
    ) throws {
        self.configuration = configuration
        self.accounts = accounts
        self.stores = stores
        self.hub = hub
        self.metrics = metrics
        self.logger = logger
        authenticator = try Authenticator(accounts: accounts, configuration: configuration)
        links = try AssetLinks(accounts: accounts, lifetime: configuration.assetLinkLifetime)
        // Creates the probe's secret now, so that a GET never writes.
        _ = try ProbeToken(accounts)
        router = Router(dev: configuration.dev)
        health = HealthCheck(folder: folder, accounts: accounts, stores: stores, limits: configuration.limits)
        bounds = RequestBounds(configuration)
        rates = RateLimits(configuration.currentRates, now: accounts.now)
        let counting: @Sendable (RequestRecord) -> Void = { [onRequest = configuration.onRequest] in
            metrics.note($0)
            onRequest?($0)
        }
        recorder = try RequestRecorder(
            configuration, folder: folder.requestsFolder,
            count: configuration.metricsAddress == nil && configuration.onRequest == nil ? nil : counting,
            logger: logger, now: accounts.now)
        let lint = configuration.dev ? configuration.lint : nil
        let deliveries = Deliveries(stores: stores, logger: logger)
        let reader = { way in
            TokenReader(way, configuration, accounts, stores, deliveries, metrics: metrics, logger: logger)
        }
        let faults = configuration.dev ? configuration.faults : nil
        turns = PollTurns { faults?.isEmpty == false }
        courier = Courier(reader: reader(.poll), hub: hub, hold: configuration.push.courierHold, lint: lint)
        eventStream = EventStream(reader: reader(.stream), hub: hub, settings: configuration.push, lint: lint)
        site = try Site(
            configuration: configuration, pages: pages, folder: folder, accounts: accounts, stores: stores,
            links: authenticator.signIn,
            security: SecurityLog(logger, now: accounts.now, count: { metrics.note($0) }),
            requests: recorder.log, indexUsage: recorder.indexUsage, logger: logger)
    }

    /// Answers a request in the caller's task.
    package func respond(to request: Request, context: Context) async throws -> Response {
        let call = RequestCall(request, router.match(request.path, for: request.method), context)
        return try await RequestSteps.reply(to: call, by: self).response { pending, ending in
            call.resume(with: .work { try await pending.resume(ending) })
            return try RequestSteps.reply(to: call, by: self)
        }
    }

    /// Logs `X-Forwarded-For` headers that are untrusted or malformed.
    func noteForwarding(_ request: Request) {
        if !configuration.trustForwardedFor, request.headers[.forwardedFor] != nil {
            site.security.noteUntrustedForwardedFor()
        }
        if configuration.trustForwardedFor, let entry = ClientAddress.unreadable(request.headers) {
            site.security.noteUnreadableForwardedFor(entry)
        }
    }

    /// Adds the shared headers to an answer, and records the request.
    func finished(_ response: Response, _ call: RequestCall) -> Response {
        let (request, context) = (call.request, call.context)
        var response = response
        response.common.requestUUID = context.trace.id
        if configuration.dev, response.status.code >= 400 {
            response.headers[.requestRecord] = "\(origin(of: request))/admin/1/requests/\(context.trace.id)"
        }
        if let policy = site.origin.strictTransport { response.headers[.strictTransportSecurity] = policy }
        // After HEAD, clients would read a body as the start of the next answer.
        if request.method == .head { response = response.withoutBody() }
        recorder.note(
            context.trace, request.head, call.match, address: bounds.address(of: request, context),
            status: response.status, bytesOut: response.body.contentLength)
        return response
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
        return try await renderer(of: call.kind, call.route, request).render(error, context.trace, logger)
    }

    /// Runs a route's endpoint.
    func reply(_ route: Route, _ call: RequestCall) throws -> Reply {
        let (request, context) = (call.request, call.context)
        switch route {
        case .wire(.database(let place, let scope, let endpoint)):
            return try DatabaseEntry(route.seen(request), context, place, scope, self).reply(endpoint)
        case .wire(.health) where request.headers[.authorization] == nil:
            return health.recentTroubles.map { .now(HealthResponse.make($0, hasVersion: configuration.dev)) }
                ?? .work { [self] in .now(try await respond(request, route, context)) }
        case .wait(.poll) where request.method != .head:
            return .work { [self] in
                let reply = try await courier.respond(call.request.parameters.pushToken, context)
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
                links: links, accounts: accounts, stores: stores, limits: configuration.limits,
                refused: rates.refusedUploads, address: bounds.address(of: request, context))
            return try await faulted(request, uploadTo: token, context) { request in
                try await upload.respond(request, token: token, context.trace)
            }
        case .wait(.stream) where request.method != .head:
            return try await eventStream.respond(request, request.parameters, context)
        case .wait(let wait):
            return try await courier.look(request.parameters.pushToken, wait)
        }
    }

    private func respond(_ request: Request, _ route: WireRoute, _ context: Context) async throws -> Response {
        switch route {
        case .asset(let place, let key, let name):
            return try await downloads(context).contents(request, place, key: key, name: name)
        case .preview(let place, let key, let size):
            return try await downloads(context).preview(request, place, key: key, size: size)
        case .health:
            async let hasVersion = mayKnowVersion(request, context)
            return HealthResponse.make(await health.troubles(), hasVersion: await hasVersion)
        case .readiness:
            async let hasVersion = mayKnowVersion(request, context)
            return HealthResponse.make(await health.readinessTroubles(), hasVersion: await hasVersion)
        case .probe:
            return try RouteProbe(responder: self).respond(request, context)
        case .admin(let match):
            return try await respond(request, match, context)
        case .requests(let id):
            return try await respond(request, requestWithID: id, context)
        case .front:
            return try FrontPage.respond(request, site: site, hasVersion: await mayKnowVersion(request, context))
        case .developmentSession:
            if let fault = DevelopmentGate(configuration).fault(request.head) {
                throw ServerError(.accessDenied, fault, .credentials(.notForTests))
            }
            let body = try Self.object(in: try await request.collect(atMost: DevelopmentSession.largestBody))
            return .json(try await DevelopmentSession(accounts: accounts).respond(body))
        case .emulator(let route):
            return try await respond(request, route)
        case .links(let place, let endpoint):
            return try await LinkEndpoints.respond(request, context, place, self, endpoint)
        case .database(let place, let scope, let endpoint):
            return try await DatabaseEntry(request, context, place, scope, self).reply(endpoint).response()
        case .requestAccess(let share):
            guard let home = try await accounts.environments.home(ofShortGUID: share) else { throw ShareState.notFound }
            let place = RequestPlace(container: home.container.name, environment: home.environment)
            return try await DatabaseEntry(request, context, place, .public, self).reply(
                .work { call in try await ShareEndpoints.requestAccess(share, call) }
            ).response()
        }
    }

    /// Adds CORS headers to an API answer.
    func decorated(_ response: Response, for request: Request) -> Response {
        var response = response
        CrossOrigin.decorate(&response, for: request.headers)
        return response
    }

    func origin(of request: Request) -> String {
        authenticator.signIn.origin.text(authority: request.head.authority)
    }

    /// A limit on the unread rest of a request body.
    func unreadBody(of head: HTTPRequest, _ address: String) -> UnreadBody {
        let limits = configuration.limits
        let most =
            UploadRoute.takes(head)
            ? UploadRoute.largestBody(head.headerFields, assetBytes: limits.assetBytes) : limits.requestBytes
        return UnreadBody(of: address, most: most, spent: rates.refusedUploads)
    }

    func pushContext(of request: Request) -> PushContext {
        PushContext(origin: origin(of: request), lifetime: configuration.push.tokenLifetime, stores: stores)
    }

    private func downloads(_ context: Context) -> AssetDownload {
        AssetDownload(links: links, accounts: accounts, stores: stores, sender: context.sender)
    }

    // MARK: In

    /// Parses a body as a JSON object, whatever its Content-Type; an empty body is an empty object (reference A §1.3).
    ///
    /// - Parameter mostValues: the limit `limit.requestValues`: parsed values take up to fifty times their bytes.
    static func object(in body: ByteBuffer, mostValues: Int = .max) throws -> JSONObject {
        if body.readableBytes == 0 { return JSONObject() }
        let count = body.withUnsafeReadableBytes { ValueCount.bound($0, ifMoreThan: mostValues) }
        guard count <= mostValues else {
            throw ServerError.badRequest(
                "the request body holds \(count) JSON values, at most \(mostValues) are allowed (limit.requestValues)",
                .limit(mostValues, "limit.requestValues"))
        }
        do {
            let json = try body.withUnsafeReadableBytes { try JSONParser.parse($0) }
            guard case .object(let object) = json else {
                throw ServerError.badRequest("the request body must be a JSON object, not \(known: json.kind)")
            }
            return object
        } catch let failure as JSONParser.Failure {
            throw ServerError.badRequest("the request body is not valid JSON: \(known: failure.reason)")
        }
    }

    // MARK: Errors

    private func renderer(
        of kind: RouteRow.Kind, _ route: Route?, _ request: Request
    ) -> any OutcomeRenderer {
        switch kind {
        case .page: PageRenderer(site: site, back: PageLink.toConsole(from: request))
        case .upload:
            UploadPage.back(from: request).map { PageRenderer(site: site, back: $0) } ?? UploadRenderer()
        case .wait: StatusRenderer.poll
        case .wire: WireRenderer { try await self.redirectURL(for: $0, request, route) }
        }
    }

    private func redirectURL(for error: ServerError, _ request: Request, _ route: Route?) async throws -> String? {
        guard error.code == .authenticationRequired, let place = try await place(of: route) else { return nil }
        return try await authenticator.signInURL(
            container: place.container, environment: place.environment, query: request.parameters,
            headers: request.headers, authority: request.head.authority)
    }

    /// The container of a route with user sign-in.
    private func place(of route: Route?) async throws -> RequestPlace? {
        guard case .wire(let route) = route else { return nil }
        guard case .requestAccess(let share) = route else { return route.place }
        guard let home = try await accounts.environments.home(ofShortGUID: share) else { return nil }
        return RequestPlace(container: home.container.name, environment: home.environment)
    }
}
