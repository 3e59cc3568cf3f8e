import CloudModel
package import CloudStore
import Foundation
import HTTPTypes
package import Logging
package import NIOCore

/// Finds out who sends a request by the decision table (reference B §3.9).
///
/// An unknown container is answered like an unknown API token or key, 401: whoever has no credentials for a
/// container learns nothing about it, and clients know that answer as "check your token".
package struct Authenticator: Sendable {
    let accounts: AccountStore
    let dev: Bool
    let signatures: SignatureCheck
    let signIn: SignInLinks
    let logger: Logger

    /// Signatures and sign-in links age by the clock of `accounts`.
    package init(accounts: AccountStore, configuration: ServerConfiguration, logger: Logger) throws {
        self.accounts = accounts
        self.dev = configuration.dev
        self.logger = logger
        signatures = SignatureCheck(window: configuration.signatureWindow, now: accounts.now)
        signIn = SignInLinks(
            signer: TokenSigner(key: try accounts.secret(for: "sign-in")), origin: PublicOrigin(configuration),
            now: accounts.now)
    }

    /// The identity that a request's head claims. Only a signature needs the body as well.
    package struct Claim: Sendable {
        private let identity: Identity
        private let check: (@Sendable (ByteBuffer) throws -> Void)?

        /// - Parameter check: holds a signature to the body; nil for credentials that the head proves.
        init(_ identity: Identity, check: (@Sendable (ByteBuffer) throws -> Void)? = nil) {
            self.identity = identity
            self.check = check
        }

        /// - Throws: `AUTHENTICATION_FAILED` for a signature that is not for this body.
        package func identity(for body: ByteBuffer) throws -> Identity {
            try check?(body)
            return identity
        }

        /// True if the caller has neither a user nor a key.
        var isAnonymous: Bool { identity.caller == .world }

        /// The caller that the request counts against; nil while that is not proved.
        var callerName: String? { check == nil ? identity.callerName : nil }
    }

    /// - Throws: `AUTHENTICATION_FAILED` for credentials that are missing or wrong, `AUTHENTICATION_REQUIRED` when a
    ///   user has to sign in first, `ACCESS_DENIED` for a page the API token is not for.
    package func identify(_ request: CredentialedRequest) async throws -> Claim {
        if dev { try Container.check(name: request.container) }
        let reader = try accounts.reader()
        if SignatureHeaders.present(in: request.headers) { return try signedClaim(request, reader) }
        let container = try await container(for: request, reader)
        guard let token = request.query.webAuthToken else {
            guard request.scope == .public else { throw Self.signInNeeded }
            return Claim(Identity(container: container.value, environment: request.environment, caller: .world))
        }
        guard let session = try reader.session(token), session.container == container.value.id,
            session.environment == request.environment,
            session.apiToken == nil || session.apiToken == container.apiToken
        else { throw try signInNeeded(token, request, container.apiToken, reader) }
        await slide(session)
        return Claim(
            Identity(
                container: container.value, environment: request.environment,
                caller: .user(recordName: session.userRecordName), rotatedToken: token))
    }

    static let signInNeeded = ServerError(.authenticationRequired, "request needs authorization")

    /// In development the answer says what is wrong with a web auth token; elsewhere that is nobody's business.
    private func signInNeeded(
        _ token: String, _ request: CredentialedRequest, _ apiToken: Int64, _ reader: AccountReader
    ) throws -> ServerError {
        guard dev else { return Self.signInNeeded }
        let fault = try WebTokenFault.text(token, request, apiToken: apiToken, reader)
        return ServerError(.authenticationRequired, "\(Self.signInNeeded.reason): \(fault)")
    }

    /// The container the request's API token is for. Development's own token makes it when it is not there.
    private func container(
        for request: CredentialedRequest, _ reader: AccountReader
    ) async throws -> (value: Container, apiToken: Int64) {
        guard let text = request.query.apiToken else {
            throw ServerError(.authenticationFailed, "ckAPIToken is missing, and the request is not signed")
        }
        if DevelopmentToken.works(text, dev: dev, environment: request.environment) {
            if let container = try reader.container(named: request.container) {
                return (container, DevelopmentToken.id)
            }
            return (try await accounts.ensureContainer(name: request.container), DevelopmentToken.id)
        }
        guard let token = try reader.apiToken(text), token.containerName == request.container,
            token.environment == request.environment, let container = try reader.container(named: request.container)
        else {
            throw ServerError(
                .authenticationFailed,
                "ckAPIToken is not known for this container in the \(request.environment.rawValue) environment")
        }
        try check(origin: request.headers[.origin], for: token)
        return (container, token.id)
    }

    /// 403 rather than 401, because the token is good and only the page is wrong (reference B §2.3 leaves it open).
    private func check(origin: String?, for token: APIToken) throws {
        guard !token.allowedOrigins.isEmpty else { return }
        guard let origin else {
            throw ServerError(
                .accessDenied, "this API token is for certain origins, and the request has no Origin header")
        }
        guard let known = WebOrigin(origin), token.allowedOrigins.contains(known.text) else {
            throw ServerError(.accessDenied, "this API token is not for pages of origin '\(origin.prefix(200))'")
        }
    }

    private func signedClaim(_ request: CredentialedRequest, _ reader: AccountReader) throws -> Claim {
        guard request.query.apiToken == nil, request.query.webAuthToken == nil else {
            throw ServerError(
                .authenticationFailed, "a signed request must not have ckAPIToken or ckWebAuthToken as well")
        }
        guard let headers = SignatureHeaders(request.headers), let key = try reader.serverKey(headers.keyID),
            key.containerName == request.container, key.environment == request.environment,
            let container = try reader.container(named: request.container)
        else { throw refusal("unknown key, or a header is missing", request) }
        if let fault = signatures.fault(ofDateIn: headers) { throw refusal(fault, request) }
        guard request.scope == .public else {
            throw ServerError(
                .authenticationFailed, "a server-to-server key works in the public database only")
        }
        let identity = Identity(
            container: container, environment: request.environment,
            caller: .serverKey(recordName: key.userRecordName))
        return Claim(identity) { body in
            if let fault = signatures.fault(headers, key: key.publicKey, target: request.target, body: body) {
                throw refusal(fault, request)
            }
        }
    }

    /// One text for all causes (reference B §4.6). In development the log tells which it was.
    private func refusal(_ cause: String, _ request: CredentialedRequest) -> ServerError {
        if dev { logger.notice("signature refused", metadata: ["cause": "\(cause)", "target": "\(request.target)"]) }
        return ServerError(.authenticationFailed, "Authentication failed")
    }

    /// Prolongs the session. A full disk must not turn reads away, so a failure is only logged.
    private func slide(_ session: WebSession) async {
        do { try await accounts.slide(session) } catch {
            logger.error("a session could not be prolonged", metadata: ["error": "\(error)"])
        }
    }
}

/// The API token that works for every container's development environment while the server is in `--dev`.
package enum DevelopmentToken {
    package static let text = String(repeating: "d0", count: 32)
    /// No stored token has this row id.
    static let id: Int64 = 0

    static func works(_ text: String, dev: Bool, environment: ContainerEnvironment) -> Bool {
        dev && environment == .development && text == Self.text
    }
}
