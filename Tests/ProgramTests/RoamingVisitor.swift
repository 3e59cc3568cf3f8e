import CloudHTTP
import CloudModel
import Foundation
import NIOCore
import Synchronization
import TestCloud
import Testing

/// A server, and the port that it listens at whatever origin it tells people.
struct Listener: Sendable {
    let server: RunningServer
    let port: Int

    func send(
        _ method: HTTPRequest.Method, _ target: String, headers: HTTPFields = [:], body: String? = nil
    ) async throws -> Answer {
        Answer(
            try await SocketClient(number: port).answer(method, target, headers, body.map { ByteBuffer(string: $0) }))
    }
}

/// Somebody with a browser, whose requests to one origin any of several servers answers.
final class RoamingVisitor: Sendable {
    private let origin: String
    private let cookies: Mutex<[String: String]>
    private let page: Mutex<String>

    init(origin: String, cookies: [String: String] = [:], page: String = "") {
        self.origin = origin
        self.cookies = Mutex(cookies)
        self.page = Mutex(page)
    }

    /// Another browser with the same cookies and page.
    func copy() -> RoamingVisitor {
        RoamingVisitor(origin: origin, cookies: cookies.withLock(\.self), page: page.withLock(\.self))
    }

    /// Opens a page, by its path or whole address.
    func open(_ address: String, at listener: Listener) async throws -> Answer {
        let path = address.hasPrefix("/") ? address : "/" + address.split(separator: "/", maxSplits: 2)[2]
        return try await send(.get, path, headers: [:], body: nil, at: listener)
    }

    /// Sends a form of the page seen last, with the value that guards it and these fields.
    func submit(_ path: String, _ fields: [String: String], at listener: Listener) async throws -> Answer {
        var fields = fields
        let page = page.withLock(\.self)
        if let guarding = page.firstMatch(of: #/name="form" value="([^"]*)"/#) {
            fields["form"] = fields["form"] ?? String(guarding.output.1)
        }
        let body = fields.map { "\($0)=\($1.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")" }
        return try await send(
            .post, path, headers: [.origin: origin, .contentType: "application/x-www-form-urlencoded"],
            body: body.joined(separator: "&"), at: listener)
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields, body: String?, at listener: Listener
    ) async throws -> Answer {
        var headers = headers
        headers[.cookie] = cookies.withLock { $0.map { "\($0)=\($1)" }.joined(separator: "; ") }
        let answer = try await listener.send(method, path, headers: headers, body: body)
        for cookie in answer.headers[values: .setCookie] {
            let pair = cookie.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1).map(String.init)
            cookies.withLock { $0[pair[0]] = pair.count > 1 && !cookie.contains("Max-Age=0") ? pair[1] : nil }
        }
        if answer.status == 200, answer.text.contains("<html") { page.withLock { $0 = answer.text } }
        return answer
    }
}
