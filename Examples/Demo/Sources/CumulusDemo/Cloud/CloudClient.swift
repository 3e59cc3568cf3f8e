import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// Speaks CloudKit Web Services to one environment of a container, for one person or for a stranger.
struct CloudClient: Sendable {
    private static let largestAnswer = 64 << 20

    let http: HTTPClient
    let origin: String
    let apiToken: String
    let container: String
    let environment: String
    /// Nil for somebody who has no account.
    let webAuthToken: String?
    /// The record name of the signed-in person, empty for a stranger.
    let user: String
    let tally: Tally
    /// What this device calls itself, so that it is not told of what it does itself; nil for a person of one device.
    var clientID: String?

    /// Signs `email` in the way a development server allows: by name alone.
    static func signIn(
        _ email: String, to container: String, _ environment: String = "development", at origin: String,
        apiToken: String, over http: HTTPClient, tally: Tally
    ) async throws -> CloudClient {
        let answer = try await send(
            .POST, ["container": .string(container), "environment": .string(environment), "email": .string(email)],
            to: "\(origin)/auth/dev/session", over: http, tally: tally)
        guard answer.status == 200, let token = answer.body["ckWebAuthToken"]?.string else {
            throw Mismatch(
                what: "signing in, as a server started with --dev lets anybody", expected: "200 with a ckWebAuthToken",
                got: answer.summary)
        }
        return CloudClient(
            http: http, origin: origin, apiToken: apiToken, container: container, environment: environment,
            webAuthToken: token, user: answer.body["userRecordName"]?.string ?? "", tally: tally)
    }

    /// The same app in the hands of somebody without an account.
    var stranger: CloudClient {
        CloudClient(
            http: http, origin: origin, apiToken: apiToken, container: container, environment: environment,
            webAuthToken: nil, user: "", tally: tally)
    }

    /// The same person with another device. The name is one that no earlier play has used.
    func device(_ name: String) -> CloudClient {
        var device = self
        device.clientID = "\(name)-\(UUID().uuidString.prefix(8).lowercased())"
        return device
    }

    /// The path of an action such as `private/records/query`, as it is printed: without credentials.
    func path(_ action: String) -> String { "/database/1/\(container)/\(environment)/\(action)" }

    func post(_ action: String, _ body: JSON) async throws -> CloudAnswer {
        try await call(.POST, path(action), body)
    }

    /// Calls a path with this person's credentials.
    func call(_ method: HTTPMethod, _ path: String, _ body: JSON? = nil) async throws -> CloudAnswer {
        let person = webAuthToken.map { "&ckWebAuthToken=\(percentEncoded($0))" } ?? ""
        let device = clientID.map { "&clientId=\($0)" } ?? ""
        let query = "ckAPIToken=\(apiToken)\(person)\(device)"
        return try await Self.send(method, body, to: "\(origin)\(path)?\(query)", over: http, tally: tally)
    }

    private static func send(
        _ method: HTTPMethod, _ body: JSON?, to url: String, over http: HTTPClient, tally: Tally
    ) async throws -> CloudAnswer {
        var request = HTTPClientRequest(url: url)
        request.method = method
        if let body {
            request.headers.add(name: "content-type", value: "application/json")
            request.body = .bytes(ByteBuffer(string: body.text))
        }
        let start = ContinuousClock.now
        let response = try await http.execute(request, timeout: .seconds(60))
        let bytes = try await response.body.collect(upTo: largestAnswer)
        let answer = CloudAnswer(
            status: Int(response.status.code), body: try JSON(parsing: Data(buffer: bytes)),
            duration: start.duration(to: .now))
        tally.add(answer)
        return answer
    }

    /// Tokens hold `+`, `/` and `=`, which mean something else in a query string (reference B §3.3).
    private func percentEncoded(_ token: String) -> String {
        token.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "+"): "%2B"
            case UInt8(ascii: "/"): "%2F"
            case UInt8(ascii: "="): "%3D"
            default: String(UnicodeScalar(byte))
            }
        }.joined()
    }
}

extension CloudAnswer {
    /// The status and, when something went wrong, what the server says about it.
    var summary: String {
        guard let errorCode else { return "\(status)" }
        return "\(status) \(errorCode): \(body["reason"]?.string ?? "no reason given")"
    }
}
