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

    func schemaText() async throws -> String { String(buffer: try await ask(.GET, "schema", accept: "text/plain")) }

    func importSchema(_ text: String, dryRun: Bool) async throws -> [SchemaStep] {
        try await steps(.PUT, "schema", dryRun: dryRun, body: text)
    }

    func deploySchema(dryRun: Bool) async throws -> [SchemaStep] {
        try await steps(.POST, "schema/deploy", dryRun: dryRun)
    }

    func resetSchema(dryRun: Bool) async throws -> [SchemaStep] {
        try await steps(.POST, "schema/reset", dryRun: dryRun)
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

    private func steps(
        _ method: HTTPMethod, _ path: String, dryRun: Bool, body: String? = nil
    ) async throws -> [SchemaStep] {
        try understood([SchemaStep](try await json(method, path + (dryRun ? "?dryRun=true" : ""), body: body)))
    }

    private func json(_ method: HTTPMethod, _ path: String, body: String? = nil) async throws -> JSONValue {
        let answer = try await ask(method, path, accept: "application/json", body: body)
        return (try? JSONParser.parse(Array(answer.readableBytesView))) ?? .null
    }

    private func ask(
        _ method: HTTPMethod, _ path: String, accept: String, body: String? = nil
    ) async throws -> ByteBuffer {
        var request = HTTPClientRequest(url: origin + base + path)
        request.method = method
        request.headers.add(name: "Authorization", value: "Bearer \(token)")
        request.headers.add(name: "Accept", value: accept)
        if let body {
            request.headers.add(name: "Content-Type", value: "text/plain; charset=UTF-8")
            request.body = .bytes(ByteBuffer(string: body))
        }
        let (status, answer) = try await exchange(request)
        guard status == .ok else { throw refusal(status, answer) }
        return answer
    }

    private func exchange(_ request: HTTPClientRequest) async throws -> (HTTPResponseStatus, ByteBuffer) {
        do {
            return try await HTTPClient.withHTTPClient(configuration: Self.configuration) { client in
                let response = try await client.execute(request, timeout: Self.longest)
                return (response.status, try await response.body.collect(upTo: Self.largestAnswer))
            }
        } catch {
            throw Complaint("\(origin) does not answer: \(error)")
        }
    }

    /// Nobody waits long for a server that is not there, and the token goes nowhere else than it was meant for.
    private static var configuration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout.connect = .seconds(10)
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }

    private func refusal(_ status: HTTPResponseStatus, _ answer: ByteBuffer) -> Complaint {
        let json = try? JSONParser.parse(Array(answer.readableBytesView))
        return Complaint(json?.object?["reason"]?.string ?? "\(origin) answers \(status)")
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
