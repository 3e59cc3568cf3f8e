import CloudAccounts
package import CloudHTTP
import CloudIdentity
import CloudModel
import NIOCore

/// `POST /auth/exchange` and `POST /auth/exchange/nonce`: an app's identity token for a web auth token.
package struct ExchangeEndpoints: Sendable {
    /// The body limit in bytes.
    package static let largestBody = 64 << 10

    private let service: WireService
    private let request: Request
    private let context: CloudRequestContext

    package init(_ request: Request, _ context: CloudRequestContext, _ service: WireService) {
        (self.request, self.context, self.service) = (request, context, service)
    }

    /// A nonce for the app's request to its provider. Nothing is stored.
    package func nonce() async throws -> Response {
        let (app, _) = try await call()
        let expires = service.accounts.now().wholeSeconds + ExchangeNonces.lifetime
        let nonce = service.exchangeNonces.make(for: app.place, expires: expires)
        var json = JSONWriter(capacity: 256)
        json.object {
            $0.member("nonce", nonce)
            $0.member("hashedNonce", SignInNonce.digest(of: nonce))
            $0.member("expires", expires * 1000)
        }
        return Self.response(json)
    }

    /// Signs the person in whom an identity token names.
    ///
    /// - Throws: `AUTHENTICATION_FAILED` for a refused token or nonce, `ACCESS_DENIED` for a person who may not come in,
    ///   `AUTHENTICATION_REQUIRED` for one whose address is another account's, `TRY_AGAIN_LATER` if the provider cannot be
    ///   asked.
    package func exchange() async throws -> Response {
        let (app, body) = try await call()
        let asked = try ExchangeRequest(body)
        let provider = try await provider(asked.provider)
        let client = service.http.client(of: request, context)
        let attempt = GuessingLimits.Attempt(guess: .identityToken, client: client)
        if let seconds = service.guessing.secondsToWait(attempt) {
            throw ServerError(
                .throttled, "too many refused identity tokens",
                .limit(service.guessing.perAddress, "signIn.attemptsPerAddress"), retryAfter: seconds)
        }
        do {
            let login = try await IdentityTokenSignIn(app: app, provider: provider, service: service).signIn(asked)
            service.guessing.giveBack(attempt)
            context.trace.note(user: login.userRecordName)
            return Self.response(Self.json(login))
        } catch let error as ServerError {
            // An unreachable provider, and a person whose address has an account, are no guesses.
            if error.code != .authenticationFailed { service.guessing.giveBack(attempt) }
            if case .credentials(.provider(let reason)) = error.cause {
                service.security.note(.providerRefused, from: client, ["provider": provider.name, "reason": reason])
            }
            throw error
        }
    }

    private func provider(_ name: String) async throws -> SignInProvider {
        guard let provider = try await service.accounts.providers.find(name: name) else {
            throw ServerError(.notFound, "provider: there is none of this name", .missing(.provider))
        }
        guard provider.kind.hasOpenIDConnect else {
            throw ServerError.badRequest(
                "provider: \(known: provider.kind.title) gives out no identity tokens; have people sign in on the "
                    + "sign-in page")
        }
        return provider
    }

    private func call() async throws -> (AppCredentials, JSONObject) {
        let ticket = try service.bounds.requests.ticket(for: service.bounds.address(of: request, context))
        context.exchange?.hold(ticket)
        defer { ticket.releaseBytes() }
        let token = try await service.authenticator.apiToken(of: request)
        context.trace.note(.credentials(token.map { .apiToken($0.id) } ?? .developmentToken))
        let bytes = try await request.collect(atMost: Self.largestBody, counting: ticket)
        context.trace.note(bytesIn: bytes.readableBytes)
        let body = try Request.object(in: bytes, mostValues: service.http.limits.requestValues)
        let app = try await service.authenticator.app(of: token, body)
        context.trace.note(container: app.containerName)
        return (app, body)
    }

    private static func json(_ login: AppLogin) -> JSONWriter {
        var json = JSONWriter()
        json.object {
            $0.member("ckWebAuthToken", login.token)
            $0.member("ckSession", login.token)
            $0.member("userRecordName", login.userRecordName)
        }
        return json
    }

    private static func response(_ json: JSONWriter) -> Response {
        var response = Response.json(json)
        response.headers[.cacheControl] = "no-store"
        return response
    }
}
