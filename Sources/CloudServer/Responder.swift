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
    let router: Router
    let logger: Logger

    package func respond(to request: Request, context: Context) async throws -> Response {
        let requestID = RandomUUID.make()
        let target = request.head.path ?? ""
        let path = target[..<(target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex)]
        var response = try await answer(request, path: path, requestID: requestID)
        response.headers[.requestUUID] = requestID
        response.headers[.cloudKitVersion] = "1.0"
        CrossOrigin.decorate(&response, for: request)
        // A body after the answer to a HEAD would be read as the beginning of the next answer.
        if request.method == .head { response = response.createHeadResponse() }
        // The query holds tokens, so the path alone is logged.
        logger.debug(
            "\(request.method) \(path) \(response.status.code)", metadata: ["request": "\(requestID)"])
        return response
    }

    private func answer(_ request: Request, path: Substring, requestID: String) async throws -> Response {
        if request.method == .options { return CrossOrigin.preflight(request) }
        guard let match = router.match(path) else {
            return .failure(ServerError(.notFound, "there is nothing at this path"), requestID: requestID)
        }
        guard match.methods.contains(request.method) else {
            let allowed = match.methods.map(\.rawValue).sorted().joined(separator: ", ")
            var response = Response.failure(
                .badRequest("\(request.method) is not for this path, which takes \(allowed)"),
                status: .methodNotAllowed, requestID: requestID)
            response.headers[.allow] = allowed
            return response
        }
        do {
            return try await answer(request, match.route)
        } catch {
            return try await render(error, request, match.route, requestID)
        }
    }

    private func answer(_ request: Request, _ route: Router.Route) async throws -> Response {
        switch route {
        case .health:
            var writer = JSONWriter(capacity: 32)
            writer.object { $0.member("status", "ok") }
            return .json(writer)
        case .signIn:
            return try await SignInPage(authenticator).answer(query: request.uri.query)
        case .developmentSession:
            let body = try Self.object(in: try await collect(request))
            return .json(try await DevelopmentSession(accounts: accounts).answer(body))
        case .database(let container, let environment, let scope, let endpoint):
            return try await answer(request, container, environment, scope, endpoint)
        case .requestAccess(let share):
            guard let home = try await accounts.home(ofShortGUID: share) else { throw ShareState.notFound }
            return try await answer(request, home.container.name, home.environment, .public) { call in
                try await ShareEndpoints.requestAccess(share, call)
            }
        }
    }

    private func answer(
        _ request: Request, _ container: String, _ environment: ContainerEnvironment, _ scope: DatabaseScope,
        _ endpoint: Endpoint
    ) async throws -> Response {
        let body = try await collect(request)
        let query = Self.query(of: request)
        let identity = try await authenticator.identify(
            CredentialedRequest(
                container: container, environment: environment, scope: scope, query: query,
                headers: request.headers, target: request.head.path ?? "", body: body))
        let store = try await stores.store(container: identity.container, environment: environment)
        if let user = identity.caller.userRecordName { try await store.ensureUser(user) }
        let writer = try await endpoint(
            DatabaseCall(
                identity: identity, scope: scope, body: try Self.object(in: body), options: query,
                accounts: accounts, store: store, limits: configuration.limits))
        var response = Response.json(writer)
        response.headers[.webAuthToken] = identity.rotatedToken
        return response
    }

    // MARK: In

    /// The whole body, or 413 as soon as it is known to be too large.
    private func collect(_ request: Request) async throws -> ByteBuffer {
        let limit = configuration.limits.requestBytes
        let refusal = ServerError(.quotaExceeded, "request body is too large, at most \(limit) bytes are allowed")
        let announced = request.headers[.contentLength].flatMap { Int($0) }
        if let announced, announced > limit { throw refusal }
        do {
            let body = try await request.body.collect(upTo: limit)
            // A connection that ended looks like a body that did.
            guard announced.map({ $0 == body.readableBytes }) ?? true else { throw CancellationError() }
            return body
        } catch is NIOTooManyBytesError {
            throw refusal
        } catch is IOError {
            throw CancellationError()
        }
    }

    /// Whatever the content type says, the body is a JSON object, or nothing (reference A §1.3).
    private static func object(in body: ByteBuffer) throws -> JSONObject {
        if body.readableBytes == 0 { return JSONObject() }
        do {
            let json = try body.withUnsafeReadableBytes { try JSONParser.parse($0) }
            guard case .object(let object) = json else {
                throw ServerError.badRequest("the request body must be a JSON object, not \(json.kind)")
            }
            return object
        } catch let failure as JSONParser.Failure {
            throw ServerError.badRequest("the request body is not valid JSON: \(failure.reason)")
        }
    }

    private static func query(of request: Request) -> QueryString {
        guard let target = request.head.path, let mark = target.utf8.firstIndex(of: UInt8(ascii: "?"))
        else { return QueryString() }
        return QueryString(target[target.utf8.index(after: mark)...])
    }

    // MARK: Errors

    private func render(
        _ error: any Error, _ request: Request, _ route: Router.Route, _ requestID: String
    ) async throws -> Response {
        switch error {
        case let error as ServerError:
            return .failure(
                error, requestID: requestID, redirectURL: try await redirectURL(for: error, request, route))
        case let failed as AtomicBatchFailed:
            return .failure(
                ServerError(.atomicError, "atomic batch operation failed"), requestID: requestID
            ) { $0.outcomes(failed.outcomes) }
        case let error as HTTPParserError:
            // Not HTTP: the connection answers that with a 400, and ends.
            throw error
        case is CancellationError:
            // Hung up: nobody reads this, and there is nothing to log.
            return Response(status: .serviceUnavailable)
        default:
            logger.error(
                "unexpected failure", metadata: ["error": "\(String(reflecting: error))", "request": "\(requestID)"])
            return .failure(ServerError(.internalError, "internal error"), requestID: requestID)
        }
    }

    /// Where a caller who has to sign in first can do so (reference B §3.5).
    private func redirectURL(
        for error: ServerError, _ request: Request, _ route: Router.Route
    ) async throws -> String? {
        guard error.code == .authenticationRequired else { return nil }
        let container: String
        let environment: ContainerEnvironment
        switch route {
        case .database(let name, let place, _, _): (container, environment) = (name, place)
        case .requestAccess(let share):
            guard let home = try await accounts.home(ofShortGUID: share) else { return nil }
            (container, environment) = (home.container.name, home.environment)
        default: return nil
        }
        return try authenticator.signInURL(
            container: container, environment: environment, query: Self.query(of: request), headers: request.headers,
            authority: request.head.authority)
    }
}
