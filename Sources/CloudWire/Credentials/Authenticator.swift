package import CloudAccounts
import CloudEngine
package import CloudHTTP
package import CloudModel
import Foundation
package import NIOCore

/// Identifies the sender of a request by the decision table (reference B §3.9).
///
/// An unknown container gets status 401, like an unknown API token or key: callers without credentials learn nothing
/// about containers, and clients interpret 401 as "check your token".
package final class Authenticator: Sendable {
    package let accounts: AccountStore
    package let dev: Bool
    let signatures: SignatureCheck
    package let signIn: SignInLinks

    /// Signatures and sign-in links expire by the clock of `accounts`.
    ///
    /// - Parameter signatureWindow: the allowed clock difference of a signed request.
    package init(accounts: AccountStore, _ http: HTTPSettings, signatureWindow: Duration) throws {
        self.accounts = accounts
        self.dev = http.dev
        signatures = SignatureCheck(window: signatureWindow, now: accounts.now)
        signIn = SignInLinks(
            signer: TokenSigner(key: try accounts.secrets.keyBlocking(for: "sign-in")),
            origin: PublicOrigin(http),
            now: accounts.now)
    }

    /// The identity claimed by a request's head. Only a signature also covers the body.
    package struct Claim: Sendable {
        private let identity: Identity
        private let credential: TrailStep.Credential
        private let check: (@Sendable (ByteBuffer) throws -> Void)?

        /// - Parameter check: verifies the signature over the body; nil for credentials proven by the head alone.
        package init(
            _ identity: Identity, _ credential: TrailStep.Credential,
            check: (@Sendable (ByteBuffer) throws -> Void)? = nil
        ) {
            self.identity = identity
            self.credential = credential
            self.check = check
        }

        /// - Throws: `AUTHENTICATION_FAILED` if the signature does not match the body.
        package func identity(for body: ByteBuffer) throws -> Identity {
            try check?(body)
            return identity
        }

        /// True if the caller has neither a user nor a key.
        var isAnonymous: Bool { identity.caller == .world }

        /// The trail's steps on the request's credentials.
        package func steps(in scope: DatabaseScope) -> [TrailStep] {
            [
                .credentials(credential),
                .place(container: identity.container.name, environment: identity.environment, database: scope),
            ]
        }

        /// The user record name of the caller.
        package var user: String? { identity.caller.userRecordName }

        /// The caller that the request counts against; nil until proven.
        var callerName: String? { check == nil ? identity.callerName : nil }
    }

    /// - Throws: `AUTHENTICATION_FAILED` for missing or wrong credentials, `AUTHENTICATION_REQUIRED` if the user must
    ///   sign in, `ACCESS_DENIED` for a page origin that the API token does not allow.
    package func identify(_ request: CredentialedRequest) async throws -> Claim {
        if dev { try Container.check(name: request.container) }
        let reader = try await accounts.reader()
        if SignatureHeaders.present(in: request.headers) { return try await signedClaim(request, reader) }
        let container = try await container(for: request, reader)
        guard let token = request.query.webAuthToken else {
            guard request.scope == .public else { throw Self.signInNeeded }
            return Self.claim(request, container.value, container.apiToken)
        }
        var end = Timestamp.max
        guard let session = try await reader.session(token),
            let claim = claim(session, token, request, container.value, container.apiToken, until: &end)
        else { throw try await signInNeeded(token, request, container.apiToken, reader) }
        return claim
    }

    /// The claim of a request whose API token and session, if given, are cached. Nil for any other request, including
    /// requests that ``identify(_:)`` would refuse.
    ///
    /// - Throws: `ACCESS_DENIED` for a page origin that the API token does not allow.
    func claimAtHand(_ request: CredentialedRequest) throws -> Claim? {
        guard !SignatureHeaders.present(in: request.headers), let reader = try accounts.readerAtHand() else {
            return nil
        }
        let known = KnownClaim.of(request)
        if let known, known.holds(for: request, at: reader.revision, now: accounts.now()) { return known.claim }
        return try claim(request, reader)
    }

    private func claim(_ request: CredentialedRequest, _ reader: AccountReader) throws -> Claim? {
        let query = request.query
        let token = query.webAuthToken
        guard let text = query.apiToken, token != nil || request.scope == .public else { return nil }
        let isForDevelopment = DevelopmentToken.works(text, dev: dev, environment: request.environment)
        let known = reader.credentialsAtHand(
            container: request.container, apiToken: isForDevelopment ? nil : text, session: token)
        guard let container = known.container else { return nil }
        var apiToken = DevelopmentToken.id
        var isForAnyOrigin = true
        if !isForDevelopment {
            guard let found = known.apiToken, found.containerName == request.container,
                found.environment == request.environment
            else { return nil }
            try check(origin: request.headers[.origin], for: found)
            apiToken = found.id
            isForAnyOrigin = found.allowedOrigins.isEmpty
        }
        var end = Timestamp.max
        let claim: Claim?
        if let token {
            claim = known.session.flatMap { self.claim($0, token, request, container, apiToken, until: &end) }
        } else {
            claim = Self.claim(request, container, apiToken)
        }
        if isForAnyOrigin, let claim {
            request.request.memory.set(KnownClaim(claim, request, at: reader.revision, until: end))
        }
        return claim
    }

    /// A claim without a user.
    private static func claim(_ request: CredentialedRequest, _ container: Container, _ apiToken: Int64) -> Claim {
        Claim(
            Identity(
                container: container, environment: request.environment, caller: .world, apiToken: apiToken),
            apiToken == DevelopmentToken.id ? .developmentToken : .apiToken(apiToken))
    }

    /// Nil for a session of another container, environment or API token.
    ///
    /// - Parameter end: set to the time of the session's next extension.
    private func claim(
        _ session: WebSession, _ token: String, _ request: CredentialedRequest, _ container: Container,
        _ apiToken: Int64, until end: inout Timestamp
    ) -> Claim? {
        guard session.container == container.id, session.environment == request.environment,
            session.apiToken == nil || session.apiToken == apiToken
        else { return nil }
        end = min(session.expires, accounts.sessions.slide(session))
        return Claim(
            Identity(
                container: container, environment: request.environment,
                caller: .user(recordName: session.userRecordName), apiToken: apiToken, rotatedToken: token),
            .session)
    }

    package static let signInNeeded = ServerError(
        .authenticationRequired, "request needs authorization", .credentials(.notSignedIn))

    package static let keyOutsidePublic = ServerError(
        .authenticationFailed, "a server-to-server key works in the public database only",
        .credentials(.keyOutsidePublic))

    /// The refusal of a web auth token; only a development server names the token's fault.
    private func signInNeeded(
        _ token: String, _ request: CredentialedRequest, _ apiToken: Int64, _ reader: AccountReader
    ) async throws -> ServerError {
        let fault = try await WebTokenFault(token, request, apiToken: apiToken, reader)
        guard dev else { return Self.signInNeeded.because(.credentials(fault.cause)) }
        return ServerError(
            .authenticationRequired, "\(known: Self.signInNeeded.reason): \(fault.text)", .credentials(fault.cause))
    }

    /// The container of the request's API token. The development token creates a missing container.
    private func container(
        for request: CredentialedRequest, _ reader: AccountReader
    ) async throws -> (value: Container, apiToken: Int64) {
        guard let text = request.query.apiToken else {
            throw ServerError(
                .authenticationFailed, "ckAPIToken is missing, and the request is not signed", .credentials(.noAPIToken)
            )
        }
        if DevelopmentToken.works(text, dev: dev, environment: request.environment) {
            if let container = try await reader.container(named: request.container) {
                return (container, DevelopmentToken.id)
            }
            return (try await accounts.containers.ensure(name: request.container), DevelopmentToken.id)
        }
        let token = try await reader.apiToken(text)
        guard let token, token.containerName == request.container, token.environment == request.environment,
            let container = try await reader.container(named: request.container)
        else {
            throw ServerError(
                .authenticationFailed,
                "ckAPIToken is not known for this container in the \(known: request.environment.rawValue) environment",
                .credentials(Self.fault(of: token, request)))
        }
        try check(origin: request.headers[.origin], for: token)
        return (container, token.id)
    }

    private static func fault(of token: APIToken?, _ request: CredentialedRequest) -> CredentialsFault {
        guard let token else { return .unknownAPIToken }
        return token.containerName == request.container ? .apiTokenOfAnotherEnvironment : .apiTokenOfAnotherContainer
    }

    /// Status 403 rather than 401, because the token is valid and only the page's origin is not (reference B §2.3
    /// leaves this open).
    func check(origin: String?, for token: APIToken) throws {
        guard !token.allowedOrigins.isEmpty else { return }
        guard let origin else {
            throw ServerError(
                .accessDenied, "this API token is for certain origins only, and the request has no Origin header",
                .credentials(.noOrigin))
        }
        guard let known = WebOrigin(origin), token.allowedOrigins.contains(known.text) else {
            throw ServerError(
                .accessDenied, "this API token is not for pages of origin '\(origin.prefix(200))'",
                .credentials(.anotherOrigin))
        }
    }

    private func signedClaim(_ request: CredentialedRequest, _ reader: AccountReader) async throws -> Claim {
        guard request.query.apiToken == nil, request.query.webAuthToken == nil else {
            throw ServerError(
                .authenticationFailed, "a signed request must not have ckAPIToken or ckWebAuthToken as well",
                .credentials(.tokenBesideSignature))
        }
        guard let headers = SignatureHeaders(request.headers) else { throw Self.refusal(.signatureHeaders) }
        guard let key = try await reader.serverKey(headers.keyID) else { throw Self.refusal(.unknownKey) }
        guard key.containerName == request.container,
            let container = try await reader.container(named: request.container)
        else { throw Self.refusal(.keyOfAnotherContainer) }
        guard key.environment == request.environment else { throw Self.refusal(.keyOfAnotherEnvironment) }
        if let fault = signatures.fault(ofDateIn: headers) { throw Self.refusal(fault) }
        guard request.scope == .public else {
            throw Self.keyOutsidePublic
        }
        let identity = Identity(
            container: container, environment: request.environment,
            caller: .serverKey(recordName: key.userRecordName), apiToken: nil)
        return Claim(identity, .serverKey) { [signatures] body in
            if let fault = signatures.fault(headers, key: key.publicKey, target: request.target, body: body) {
                throw Self.refusal(fault)
            }
        }
    }

    /// The same text for all causes (reference B §4.6); the trail names the cause.
    private static func refusal(_ fault: CredentialsFault) -> ServerError {
        ServerError(.authenticationFailed, "Authentication failed", .credentials(fault))
    }
}

/// The API token that works for every container's development environment while the server is in `--dev`.
package enum DevelopmentToken {
    package static let text = String(repeating: "d0", count: 32)
    /// No stored token has this row id.
    package static let id: Int64 = 0

    package static func works(_ text: String, dev: Bool, environment: ContainerEnvironment) -> Bool {
        dev && environment == .development && text == Self.text
    }
}
