import Foundation

/// Sends requests to a container's environment with the current credentials.
final class WireClient: Sendable {
    /// An answer, and whether an earlier attempt may also have been processed.
    struct Reply: Sendable {
        let body: JSON
        let wasRepeated: Bool
    }

    let settings: CumulusConfiguration
    let session: Session
    let gate = Gate()
    private static let unreserved = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

    init(_ settings: CumulusConfiguration) {
        self.settings = settings
        session = Session(settings.credentials)
    }

    /// Posts to an action such as `private/records/query`.
    func post(_ action: String, _ body: JSON) async throws -> Reply {
        try await call("POST", "/database/1/\(place)/\(action)", body)
    }

    var place: String { "\(Self.encoded(settings.identifier))/\(settings.environment.rawValue)" }

    func call(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> Reply {
        var query = ["ckAPIToken=\(Self.encoded(settings.apiToken))"]
        let session = try self.session.current()
        if let token = session.webAuthToken { query.append("ckWebAuthToken=\(Self.encoded(token))") }
        if let device = settings.clientID { query.append("clientId=\(Self.encoded(device))") }
        let url = try url(path + "?" + query.joined(separator: "&"))
        var request = HTTPRequest(method: method, url: url, body: body?.data)
        if body != nil { request.headers["Content-Type"] = "application/json" }
        let (answer, wasRepeated) = try await send(request)
        if let token = answer.headers["x-apple-cloudkit-web-auth-token"] {
            try self.session.rotate(to: token, from: session)
        }
        guard let json = try? JSON(parsing: answer.body) else {
            throw CKError(.serverRejectedRequest, "The server answered with something else than JSON.")
        }
        return Reply(body: json, wasRepeated: wasRepeated)
    }

    func url(_ path: String) throws -> URL {
        guard let url = URL(string: settings.origin + path) else {
            throw CKError(.invalidArguments, "\(settings.origin) is no origin such as https://cloud.example.com.")
        }
        return url
    }

    /// Sends with retries, within the policy's and the server's limits, until a request succeeds.
    func send(
        _ request: HTTPRequest,
        by send: @Sendable (any HTTPTransport, HTTPRequest) async throws -> HTTPAnswer = { try await $0.send($1) }
    ) async throws -> (answer: HTTPAnswer, wasRepeated: Bool) {
        var failures = 0
        var wasLost = false
        while true {
            try await wait(gate.wait)
            let failure: CKError
            do {
                let answer = try await send(settings.transport, request)
                if 200..<300 ~= answer.status { return (answer, wasLost) }
                failure = CKError(answer)
            } catch let error as CKError {
                failure = error
            } catch TransportFailure.notConnected(let reason) {
                failure = CKError(.networkUnavailable, reason)
            } catch TransportFailure.answerLost(let reason) {
                wasLost = true
                failure = CKError(.serverResponseLost, reason)
            } catch let error as CocoaError {
                throw error
            } catch {
                throw CKError(.operationCancelled, "The call was cancelled.")
            }
            failures += 1
            if let seconds = failure.retryAfterSeconds { gate.close(for: .seconds(seconds)) }
            guard failure.isTransient, failures < settings.retries.tries else { throw failure }
            try await wait(settings.retries.pause(after: failures))
        }
    }

    private func wait(_ duration: Duration) async throws {
        guard duration > .zero else { return }
        guard duration <= settings.retries.longestRetryAfter else {
            throw CKError(
                .requestRateLimited, "The server asked for more time.", retryAfterSeconds: duration / .seconds(1))
        }
        do { try await Task.sleep(for: duration) } catch {
            throw CKError(.operationCancelled, "The call was cancelled.")
        }
    }

    /// Percent-encodes text: tokens contain `+`, `/` and `=`, which have a meaning in queries.
    static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            if unreserved.contains(byte) { return String(UnicodeScalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.count == 1 ? "%0\(digits)" : "%\(digits)"
        }.joined()
    }
}
