import CloudCrypto
package import CloudHTTP
package import CloudModel
import NIOCore
import Synchronization

/// A provider of sign-in on the loopback, which signs with a key of its own and lies as it is told.
package final class TestProvider: Sendable {
    /// What the provider does and says next.
    package struct Manner: Sendable {
        package var subject = "person"
        /// Claims added to the ID token, or replaced in it.
        package var claims: [String: JSONValue] = [:]
        /// Claims that the ID token lacks.
        package var without: Set<String> = []
        /// Members added to the token's header, or replaced in it.
        package var header: [String: JSONValue] = [:]
        /// Makes another token of the right one.
        package var token: (@Sendable (String, TestProvider) -> String)?
        /// Parameters added to the answer, or replaced in it; an empty text leaves one out.
        package var answer: [String: String] = [:]
        /// The body of the answer to a token request, in place of the right one.
        package var tokenBody: String?
        package var tokenStatus = 200
        package var userInfo: [String: JSONValue]?
        package var discovery: [String: JSONValue] = [:]
        package var keys: String?
        /// The status of the answer to a revocation.
        package var revocationStatus = 200
        /// Headers of the page where people sign in.
        package var pageHeaders: HTTPFields = [:]
        /// Whether people see a page with a link before the answer.
        package var showsPage = false

        package init() {}
    }

    private struct Grant {
        let nonce: String
        let challenge: String
        let redirect: String
        let client: String
        /// The person of an app's code; nil for the subject of the manner.
        var subject: String?
    }

    /// A key of the published set, by its name there.
    private struct Key: Sendable {
        let id: String
        let key = P256.Signing.PrivateKey()

        var published: JSONValue {
            let point = key.publicKey.x963Representation
            return .members([
                "kty": .string("EC"), "crv": .string("P-256"), "kid": .string(id), "use": .string("sig"),
                "x": .string(Base64URL.encode(Array(point[1..<33]))),
                "y": .string(Base64URL.encode(Array(point[33...]))),
            ])
        }

        /// A token of texts that need not be JSON.
        func sign(_ header: String, _ claims: String) -> String {
            let text = "\(Base64URL.encode(Array(header.utf8))).\(Base64URL.encode(Array(claims.utf8)))"
            return "\(text).\(Base64URL.encode(key.signature(for: Array(text.utf8)).rawRepresentation))"
        }
    }

    private struct State {
        /// The key that signs, and older ones that are published still.
        var key = Key(id: "key")
        var olderKeys: [Key] = []
        var rotations = 0
        var manner = Manner()
        var grants: [String: Grant] = [:]
        var lastCode = 0
        var requests: [String] = []
        var revoked: [String] = []
    }

    package let port: Int
    private let now: Now
    private let state = Mutex(State())

    /// The issuer that the provider claims to be, by another name than its address.
    private let name: String?

    private init(port: Int, name: String?, now: @escaping Now) { (self.port, self.name, self.now) = (port, name, now) }

    package static let client = "our client"
    package static let secret = "our secret"
    package var address: String { "http://127.0.0.1:\(port)" }
    package var issuer: String { name ?? address }
    /// Paths that were asked for, in order.
    package var requests: [String] { state.withLock { $0.requests } }
    /// Tokens that were revoked, each with its client, in order.
    package var revoked: [String] { state.withLock { $0.revoked } }

    package func setManner(_ change: (inout Manner) -> Void) { state.withLock { change(&$0.manner) } }

    /// Signs with another key from now on. The older one is published still.
    package func rotate() {
        state.withLock { state in
            state.olderKeys.append(state.key)
            state.rotations += 1
            state.key = Key(id: "key \(state.rotations)")
        }
    }

    /// Publishes none but the key that signs.
    package func dropOlderKeys() { state.withLock { $0.olderKeys = [] } }

    /// Runs a provider for as long as `body` takes.
    ///
    /// - Parameter name: the claimed issuer; nil for its address.
    package static func run(
        as name: String? = nil, now: @escaping Now, _ body: @escaping @Sendable (TestProvider) async throws -> Void
    ) async throws {
        let running = Mutex<TestProvider?>(nil)
        let (ports, tell) = AsyncStream.makeStream(of: Int.self)
        let server = PlainServer(host: "127.0.0.1", port: 0) { request in
            var bytes = ByteBuffer()
            for try await piece in request.body { bytes.writeImmutableBuffer(piece) }
            guard let provider = running.withLock(\.self) else { return Response(status: .serviceUnavailable) }
            return provider.respond(request, FormFields(bytes.readableBytesView))
        } onListening: { port in
            tell.yield(port)
        }
        try await TestCloud.running([server]) {
            for await port in ports {
                let provider = TestProvider(port: port, name: name, now: now)
                running.withLock { $0 = provider }
                return try await body(provider)
            }
        }
    }
}

extension TestProvider {
    private func respond(_ request: Request, _ form: FormFields) -> Response {
        let path = String(request.path)
        let manner = state.withLock { state in
            state.requests.append(path)
            return state.manner
        }
        switch path {
        case "/.well-known/openid-configuration": return json(discovery(manner))
        case "/keys": return Self.body(manner.keys ?? Self.text(.members(["keys": .array(publishedKeys)])))
        case "/authorize":
            let place = answer(FormFields(request.query.utf8), manner)
            guard manner.showsPage else { return .seeOther(place) }
            let link = place.replacing("&", with: "&amp;")
            var headers = manner.pageHeaders
            headers[.contentType] = "text/html"
            return Response(
                status: .ok, headers: headers,
                body: ResponseBody(
                    byteBuffer: ByteBuffer(string: "<!DOCTYPE html><a id=\"yes\" href=\"\(link)\">Yes</a>")))
        case "/token": return name == nil ? token(form, request, manner) : appToken(form, manner)
        case "/revoke": return revocation(form, manner)
        case "/userinfo":
            return json(.object(Self.object(manner.userInfo ?? ["sub": .string(manner.subject)])))
        default: return Response(status: .notFound)
        }
    }

    private func discovery(_ manner: Manner) -> JSONValue {
        var object = Self.object([
            "issuer": .string(issuer), "authorization_endpoint": .string(issuer + "/authorize"),
            "token_endpoint": .string(issuer + "/token"), "jwks_uri": .string(issuer + "/keys"),
            "userinfo_endpoint": .string(issuer + "/userinfo"), "response_types_supported": .array([.string("code")]),
            "revocation_endpoint": .string(issuer + "/revoke"),
        ])
        if name != nil {
            object.set("token_endpoint_auth_methods_supported", .array([.string("client_secret_post")]))
        }
        for (name, value) in manner.discovery { object.set(name, value) }
        return .object(object)
    }

    private var publishedKeys: [JSONValue] {
        state.withLock { ($0.olderKeys + [$0.key]).map(\.published) }
    }

    /// The address that the provider sends a person back to who agrees.
    package func agree(_ address: String) -> String {
        let query = address.split(separator: "?", maxSplits: 1).last ?? ""
        return answer(FormFields(query.utf8), state.withLock(\.manner))
    }

    private func answer(_ query: FormFields, _ manner: Manner) -> String {
        let code = state.withLock { state in
            state.lastCode += 1
            let code = "code\(state.lastCode)"
            state.grants[code] = Grant(
                nonce: query["nonce"] ?? "", challenge: query["code_challenge"] ?? "",
                redirect: query["redirect_uri"] ?? "", client: query["client_id"] ?? "")
            return code
        }
        let usual = ["code": code, "state": query["state"] ?? ""]
        let items = usual.merging(manner.answer) { $1 }.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
        let text = items.map { "\($0.key)=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
        return "\(query["redirect_uri"] ?? "")?\(text)"
    }

    private func token(_ form: FormFields, _ request: Request, _ manner: Manner) -> Response {
        if let body = manner.tokenBody { return Self.body(body, status: manner.tokenStatus) }
        let pair = "our+client:our+secret"
        guard request.headers[.authorization] == "Basic \(Base64.encode(Array(pair.utf8)))" else {
            return Self.body(#"{"error":"unauthorized_client"}"#, status: 403)
        }
        guard let grant = state.withLock({ $0.grants.removeValue(forKey: form["code"] ?? "") }),
            form["grant_type"] == "authorization_code", form["redirect_uri"] == grant.redirect,
            Base64URL.encode(Array(SHA256.hash(data: Array((form["code_verifier"] ?? "").utf8)))) == grant.challenge
        else { return Self.body(#"{"error":"invalid_code"}"#, status: 403) }
        return json(
            .members([
                "access_token": .string("access"), "token_type": .string("Bearer"),
                "id_token": .string(idToken(grant, manner)),
            ]))
    }

    /// An identity token as an app gets it.
    package func idToken(for client: String, nonce: String) -> String {
        idToken(Grant(nonce: nonce, challenge: "", redirect: "", client: client), state.withLock(\.manner))
    }

    private func idToken(_ grant: Grant, _ manner: Manner) -> String {
        let time = now().wholeSeconds
        var claims: [String: JSONValue] = [
            "iss": .string(issuer), "aud": .string(grant.client), "sub": .string(grant.subject ?? manner.subject),
            "iat": .integer(time), "exp": .integer(time + 300), "nonce": .string(grant.nonce),
        ]
        claims.merge(manner.claims) { $1 }
        for name in manner.without { claims[name] = nil }
        let key = state.withLock(\.key)
        var header: [String: JSONValue] = ["alg": .string("ES256"), "kid": .string(key.id)]
        header.merge(manner.header) { $1 }
        if manner.without.contains("kid") { header["kid"] = nil }
        let text = key.sign(Self.text(.object(Self.object(header))), Self.text(.object(Self.object(claims))))
        return manner.token?(text, self) ?? text
    }

    /// A signed text of these claims.
    package func signed(_ claims: [String: JSONValue]) -> String {
        let key = state.withLock(\.key)
        return key.sign(#"{"alg":"ES256","kid":"\#(key.id)"}"#, Self.text(.object(Self.object(claims))))
    }

    /// A code that an app got for a person.
    package func code(for client: String, subject: String) -> String {
        state.withLock { state in
            state.lastCode += 1
            state.grants["app\(state.lastCode)"] = Grant(
                nonce: "", challenge: "", redirect: "", client: client, subject: subject)
            return "app\(state.lastCode)"
        }
    }

    /// Redeems a code of an app, or of the web, as Apple does: by a client secret that is a token.
    private func appToken(_ form: FormFields, _ manner: Manner) -> Response {
        if let body = manner.tokenBody { return Self.body(body, status: manner.tokenStatus) }
        guard isClient(form), let grant = state.withLock({ $0.grants.removeValue(forKey: form["code"] ?? "") }),
            form["client_id"] == grant.client, form["redirect_uri"] ?? "" == grant.redirect
        else { return Self.body(#"{"error":"invalid_grant"}"#, status: 400) }
        return json(
            .members([
                "access_token": .string("access"), "token_type": .string("Bearer"),
                "refresh_token": .string("refresh-\(form["code"] ?? "")"), "id_token": .string(idToken(grant, manner)),
            ]))
    }

    private func revocation(_ form: FormFields, _ manner: Manner) -> Response {
        guard isClient(form) else { return Self.body(#"{"error":"invalid_client"}"#, status: 400) }
        if manner.revocationStatus == 200 {
            state.withLock { $0.revoked.append("\(form["client_id"] ?? "") \(form["token"] ?? "")") }
        }
        return Response(status: .init(code: manner.revocationStatus))
    }

    /// Whether the client secret is a token for the client.
    private func isClient(_ form: FormFields) -> Bool {
        let parts = (form["client_secret"] ?? "").split(separator: ".")
        guard parts.count == 3, let bytes = Base64URL.decode(String(parts[1])),
            let claims = try? JSONParser.parse(bytes).object
        else { return false }
        return claims["sub"]?.string == form["client_id"] && claims["aud"]?.string == issuer
    }

    /// A logout token for the sessions of a person.
    ///
    /// - Parameters:
    ///   - claims: claims that are added, or replaced.
    ///   - without: claims that are left out.
    package func logoutToken(
        _ claims: [String: JSONValue] = [:], without: Set<String> = [], header: [String: JSONValue] = [:]
    ) -> String {
        let event: JSONValue = .members(["http://schemas.openid.net/event/backchannel-logout": .members([:])])
        var all: [String: JSONValue] = [
            "iss": .string(issuer), "aud": .string(Self.client), "sub": .string("person"),
            "iat": .integer(now().wholeSeconds), "jti": .string("token"), "events": event,
        ]
        all.merge(claims) { $1 }
        for name in without { all[name] = nil }
        let key = state.withLock(\.key)
        var head: [String: JSONValue] = [
            "alg": .string("ES256"), "kid": .string(key.id), "typ": .string("logout+jwt"),
        ]
        head.merge(header) { $1 }
        return key.sign(Self.text(.object(Self.object(head))), Self.text(.object(Self.object(all))))
    }

    /// A token of texts that need not be JSON.
    package func sign(_ header: String, _ claims: String) -> String {
        state.withLock(\.key).sign(header, claims)
    }

    private func json(_ value: JSONValue) -> Response { Self.body(Self.text(value)) }

    private static func body(_ text: String, status: Int = 200) -> Response {
        Response(
            status: .init(code: status), headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    private static func text(_ value: JSONValue) -> String {
        var writer = JSONWriter()
        writer.value(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func object(_ members: [String: JSONValue]) -> JSONObject {
        JSONObject(members.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: $0.value) })
    }
}
