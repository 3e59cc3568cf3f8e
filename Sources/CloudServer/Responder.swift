import CloudModel
import CloudStore
import HTTPTypes
package import Hummingbird
import Logging
import NIOCore
import NIOHTTP1

/// Answers every request: finds the route, reads the body, asks who it is, calls the endpoint, renders the outcome.
package struct Responder: HTTPResponder {
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
    let recorder: RequestRecorder
    let metrics: ServerMetrics
    let logger: Logger

    package func respond(to request: Request, context: Context) async throws -> Response {
        let target = request.head.path ?? ""
        let path = target[..<(target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex)]
        let match = router.match(path)
        if !configuration.trustForwardedFor, request.headers[.forwardedFor] != nil {
            site.security.noteUntrustedForwardedFor()
        }
        // Thousands wait in here, each with all that the functions on its way need: those are few and small.
        if case .wait(let wait) = match?.route, request.method == .get, HostField.fault(request.head) == nil {
            return await answer(request, wait, match, context)
        }
        return try await answerAtOnce(request, match, path, context)
    }

    @inline(never)
    private func answer(
        _ request: Request, _ wait: Router.Wait, _ match: Router.Match?, _ context: Context
    ) async -> Response {
        let query = Self.query(of: request)
        var response =
            switch wait {
            case .poll:
                await Courier(reader: tokenReader(.poll), hub: hub, settings: configuration.push, logger: logger)
                    .answer(query, context)
            case .stream:
                await EventStream(reader: tokenReader(.stream), hub: hub, settings: configuration.push, logger: logger)
                    .answer(request, query, context)
            }
        response.headers[.cloudKitVersion] = "1.0"
        CrossOrigin.decorate(&response, for: request)
        finish(&response, request, match, context)
        return response
    }

    @inline(never)
    private func answerAtOnce(
        _ request: Request, _ match: Router.Match?, _ path: Substring, _ context: Context
    ) async throws -> Response {
        let requestID = context.trace.id
        var response: Response
        if case .page(let endpoints, let parameters) = match?.route {
            // No cross-origin headers: no other site may read what a page tells the person who is signed in.
            response = try await PageResponder(site: site, bounds: bounds, logger: logger).answer(
                request, endpoints, parameters: parameters, context: context)
        } else {
            response = try await answer(request, match, path, context, requestID: requestID)
            response.headers[.cloudKitVersion] = "1.0"
            CrossOrigin.decorate(&response, for: request)
        }
        finish(&response, request, match, context)
        return response
    }

    private func finish(
        _ response: inout Response, _ request: Request, _ match: Router.Match?, _ context: Context
    ) {
        response.headers[.requestUUID] = context.trace.id
        if configuration.dev, response.status.code >= 400 {
            response.headers[.requestRecord] = "\(origin(of: request))/admin/1/requests/\(context.trace.id)"
        }
        response.headers[.strictTransportSecurity] = site.origin.strictTransport
        // A body after the answer to a HEAD would be read as the beginning of the next answer.
        if request.method == .head { response = response.createHeadResponse() }
        recorder.note(
            context.trace, request.head, match, address: bounds.address(of: request, context),
            status: response.status, bytesOut: response.body.contentLength)
    }

    private func answer(
        _ request: Request, _ match: Router.Match?, _ path: Substring, _ context: Context, requestID: String
    ) async throws -> Response {
        if let fault = HostField.fault(request.head) { return .failure(fault, context.trace) }
        if request.method == .options { return CrossOrigin.preflight(request) }
        guard let match else {
            return .failure(ServerError(.notFound, UnknownPath.reason(path), .address), context.trace)
        }
        guard match.methods.contains(request.method) else {
            let allowed = match.methods.map(\.rawValue).sorted().joined(separator: ", ")
            var response = Response.failure(
                .badRequest("\(request.method) is not for this path, which takes \(known: allowed)", .address),
                status: .methodNotAllowed, context.trace)
            switch match.route {
            case .upload: response = AssetUpload.response(.methodNotAllowed)
            case .wait: response = .bodiless(.methodNotAllowed)
            default: break
            }
            response.headers[.allow] = allowed
            return response
        }
        do {
            return try await answer(request, match.route, context, requestID)
        } catch {
            noteRefusal(error, request, match.route, context)
            return try await render(error, request, match.route, context.trace)
        }
    }

    private func answer(
        _ request: Request, _ route: Router.Route, _ context: Context, _ requestID: String
    ) async throws -> Response {
        switch route {
        case .upload(let token):
            let upload = AssetUpload(
                links: links, accounts: accounts, stores: stores, limits: configuration.limits, logger: logger)
            return try await upload.answer(request, token: token, context.trace)
        case .asset(let place, let key, let name):
            return try await downloads(context).contents(request, place, key: key, name: name)
        case .preview(let place, let key, let size):
            return try await downloads(context).preview(request, place, key: key, size: size)
        case .health:
            return HealthAnswer.make(await health.troubles())
        case .readiness:
            return HealthAnswer.make(await health.readinessTroubles())
        case .admin(let match):
            return try await answer(request, match, context)
        case .requests(let id):
            return try await answer(request, requestWithID: id, context)
        case .page, .wait:
            // Answered before, by those whose business they are.
            throw ServerError(.internalError, "what is no endpoint was asked for as one", .server(.fault))
        case .front: return try FrontPage.answer(request, site: site)
        case .developmentSession:
            if let fault = DevelopmentGate(configuration).fault(request.head) {
                throw ServerError(.accessDenied, fault, .credentials(.notForTests))
            }
            let body = try Self.object(in: try await request.collect(atMost: DevelopmentSession.largestBody))
            return .json(try await DevelopmentSession(accounts: accounts).answer(body))
        case .links(let container, let environment, let id):
            return try await LinkEndpoints.answer(request, context, container, environment, id: id, self)
        case .database(let container, let environment, let scope, let endpoint):
            return try await answer(request, context, container, environment, scope, endpoint)
        case .requestAccess(let share):
            guard let home = try await accounts.home(ofShortGUID: share) else { throw ShareState.notFound }
            return try await answer(request, context, home.container.name, home.environment, .public) { call in
                try await ShareEndpoints.requestAccess(share, call)
            }
        }
    }

    func origin(of request: Request) -> String {
        authenticator.signIn.origin.text(authority: request.head.authority)
    }

    func pushDesk(of request: Request) -> PushDesk {
        PushDesk(origin: origin(of: request), lifetime: configuration.push.tokenLifetime, hub: hub, stores: stores)
    }

    private func tokenReader(_ way: ServerMetrics.Delivery) -> TokenReader {
        TokenReader(
            accounts: accounts, stores: stores, lifetime: configuration.push.tokenLifetime, logger: logger
        ) { [metrics, now = accounts.now] in metrics.delivered(way, after: now() - $0) }
    }

    private func downloads(_ context: Context) -> AssetDownload {
        AssetDownload(links: links, accounts: accounts, stores: stores, sender: context.sender)
    }

    // MARK: In

    /// Whatever the content type says, the body is a JSON object, or nothing (reference A §1.3).
    ///
    /// - Parameter mostValues: a limit (`limit.requestValues`), since values take up to fifty times their bytes.
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

    static func query(of request: Request) -> QueryString {
        guard let target = request.head.path, let mark = target.utf8.firstIndex(of: UInt8(ascii: "?"))
        else { return QueryString() }
        return QueryString(target[target.utf8.index(after: mark)...])
    }

    // MARK: Errors

    private func render(
        _ error: any Error, _ request: Request, _ route: Router.Route, _ trace: RequestTrace
    ) async throws -> Response {
        switch error {
        case let error as ServerError:
            return .failure(
                error, trace, redirectURL: try await redirectURL(for: error, request, route))
        case let error as SchemaSyntaxError:
            return .failure(.badRequest("\(error.description)", .schema(.text)), trace) {
                $0.member("line", Int64(error.line))
                $0.member("column", Int64(error.column))
            }
        case let failed as AtomicBatchFailed:
            return .failure(failed.error, trace) { $0.outcomes(failed.outcomes) }
        case let error as HTTPParserError:
            // Not HTTP: the connection answers that with a 400, and ends.
            throw error
        case is CancellationError:
            // Hung up: nobody reads this, and there is nothing to log.
            return Response(status: .serviceUnavailable)
        default:
            logger.error(
                "unexpected failure", metadata: ["error": "\(String(reflecting: error))", "request": "\(trace.id)"])
            return .failure(ServerError(.internalError, "internal error", .server(.fault)), trace)
        }
    }

    /// The URL where a caller who has to sign in first can do so (reference B §3.5).
    private func redirectURL(
        for error: ServerError, _ request: Request, _ route: Router.Route
    ) async throws -> String? {
        guard error.code == .authenticationRequired, let (container, environment) = try await place(of: route) else {
            return nil
        }
        return try authenticator.signInURL(
            container: container, environment: environment, query: Self.query(of: request), headers: request.headers,
            authority: request.head.authority)
    }

    /// The container a route is about, for routes that a user signs in to.
    private func place(
        of route: Router.Route
    ) async throws -> (container: String, environment: ContainerEnvironment)? {
        guard case .requestAccess(let share) = route else { return route.place }
        guard let home = try await accounts.home(ofShortGUID: share) else { return nil }
        return (home.container.name, home.environment)
    }
}
