import AsyncHTTPClient
import CloudModel
import CloudServer
import CloudStore
import Foundation
import NIOCore
import NIOHTTP1

/// Administration through the routes of a server, with a management token.
struct RemoteAdministration: Administration {
    private let origin: String
    private let token: String
    private let base: String

    /// Bytes of the largest answer taken.
    private static let largestAnswer = 64 << 20
    /// Large changes take their time.
    private static let longest = TimeAmount.minutes(10)

    init(origin: String, token: String, container: String, _ environment: ContainerEnvironment) throws {
        guard let parts = URLComponents(string: origin), ["http", "https"].contains(parts.scheme?.lowercased()),
            parts.host?.isEmpty == false
        else { throw Complaint("--server must be an origin such as https://cloud.example.com, not '\(origin)'") }
        self.origin = origin.hasSuffix("/") ? String(origin.dropLast()) : origin
        self.token = token
        base = "/admin/1/\(Self.encoded(container))/\(environment.rawValue)/"
    }

    func schemaText() async throws -> (text: String, tag: String) {
        let answer = try await ask(.GET, "schema", accept: "text/plain")
        return (String(buffer: answer.body), answer.tag ?? "")
    }

    func importSchema(_ text: String, dryRun: Bool, ifTag tag: String?) async throws -> SchemaOutcome {
        try await change(.PUT, "schema", dryRun: dryRun, tag, body: text)
    }

    func deploySchema(dryRun: Bool, ifTag tag: String?) async throws -> SchemaOutcome {
        try await change(.POST, "schema/deploy", dryRun: dryRun, tag)
    }

    func resetSchema(dryRun: Bool, ifTag tag: String?) async throws -> SchemaOutcome {
        try await change(.POST, "schema/reset", dryRun: dryRun, tag)
    }

    func builds() async throws -> [IndexBuildProgress] {
        try understood([IndexBuildProgress](try await json(.GET, "schema/builds")))
    }

    func roles(after name: String) async throws -> RoleList {
        try understood(RoleList(try await json(.GET, "roles?after=\(Self.encoded(name))")))
    }

    func setRole(_ role: String, of user: String, to isGranted: Bool) async throws -> RoleMember {
        let path = "roles/\(Self.encoded(role))/\(Self.encoded(user))"
        return try understood(RoleMember(json: try await json(isGranted ? .PUT : .DELETE, path)))
    }

    // MARK: HTTP

    private struct Answer {
        let body: ByteBuffer
        /// The `ETag`, without its quotes.
        let tag: String?

        var json: JSONValue { (try? JSONParser.parse(Array(body.readableBytesView))) ?? .null }
    }

    private func change(
        _ method: HTTPMethod, _ path: String, dryRun: Bool, _ tag: String?, body: String? = nil
    ) async throws -> SchemaOutcome {
        let answer = try await ask(
            method, path + (dryRun ? "?dryRun=true" : ""), accept: "application/json", ifTag: tag, body: body)
        return SchemaOutcome(steps: try understood([SchemaStep](answer.json)), tag: answer.tag)
    }

    private func json(_ method: HTTPMethod, _ path: String) async throws -> JSONValue {
        try await ask(method, path, accept: "application/json").json
    }

    private func ask(
        _ method: HTTPMethod, _ path: String, accept: String, ifTag tag: String? = nil, body: String? = nil
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: origin + base + path)
        request.method = method
        request.headers.add(name: "Authorization", value: "Bearer \(token)")
        request.headers.add(name: "Accept", value: accept)
        if let tag { request.headers.add(name: "If-Match", value: "\"\(tag)\"") }
        if let body {
            request.headers.add(name: "Content-Type", value: "text/plain; charset=UTF-8")
            request.body = .bytes(ByteBuffer(string: body))
        }
        let (status, answer) = try await exchange(request)
        guard status == .ok else { throw refusal(status, answer) }
        return answer
    }

    private func exchange(_ request: HTTPClientRequest) async throws -> (HTTPResponseStatus, Answer) {
        do {
            return try await HTTPClient.withHTTPClient(configuration: Self.configuration) { client in
                let response = try await client.execute(request, timeout: Self.longest)
                let tag = response.headers.first(name: "ETag")?.replacing("\"", with: "")
                return (
                    response.status, Answer(body: try await response.body.collect(upTo: Self.largestAnswer), tag: tag)
                )
            }
        } catch {
            throw Unreachable.complaint(error, at: origin)
        }
    }

    /// Nobody waits long for a server that is not there, and the token goes nowhere else than it was meant for.
    static var configuration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout.connect = .seconds(10)
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }

    private func refusal(_ status: HTTPResponseStatus, _ answer: Answer) -> Complaint {
        Complaint(answer.json.object?["reason"]?.string ?? "\(origin) answers \(status)")
    }

    private func understood<T>(_ value: T?) throws -> T {
        guard let value else { throw Complaint("\(origin) answers something else than a Cumulus server does") }
        return value
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(
            withAllowedCharacters: .alphanumerics.intersection(.init(charactersIn: "\0"..."\u{7F}"))
                .union(.init(charactersIn: "-._~"))) ?? ""
    }
}
