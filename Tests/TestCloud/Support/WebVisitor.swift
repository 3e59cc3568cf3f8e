package import CloudHTTP
import CloudModel
import Foundation
import NIOCore
import Synchronization
package import Testing

/// Somebody with a browser: keeps cookies, fills in the forms of the page they see, and says which page a form is on.
package final class WebVisitor: Sendable {
    package let server: TestServer
    private let cookies = Mutex<[String: String]>([:])
    private let page = Mutex("")

    package init(_ server: TestServer) {
        self.server = server
    }

    /// The value of a cookie; nil when there is none.
    package func cookie(_ name: String) -> String? { cookies.withLock { $0[name] } }

    package func setCookie(_ name: String, _ value: String?) { cookies.withLock { $0[name] = value } }

    /// Opens a page, by its path or whole address.
    package func open(_ address: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> Answer {
        let path = address.hasPrefix("/") ? address : "/" + address.split(separator: "/", maxSplits: 2)[2]
        return try await send(.get, path, headers: [:], body: nil, sourceLocation: sourceLocation)
    }

    /// Sends the form of the page seen last, with its hidden fields and these.
    ///
    /// - Parameter picked: the values of what is chosen in a table.
    package func submit(
        _ path: String, _ fields: [String: String], picked: [String] = [],
        headers: HTTPFields = [.origin: "http://localhost"],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        var values: [String: String] = [:]
        let page = page.withLock(\.self)
        for match in page.matches(of: #/<input type="hidden" name="([^"]*)" value="([^"]*)"/#) {
            values[String(match.output.1)] = App.unescaped(String(match.output.2))
        }
        values.merge(fields) { $1 }
        let pairs = values.map { ($0, $1) } + picked.map { ("pick", $0) }
        let body = pairs.map { "\($0)=\($1.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")" }
        var headers = headers
        headers[.contentType] = "application/x-www-form-urlencoded"
        return try await send(
            .post, path, headers: headers, body: ByteBuffer(string: body.joined(separator: "&")),
            sourceLocation: sourceLocation)
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields, body: ByteBuffer?,
        sourceLocation: SourceLocation
    ) async throws -> Answer {
        var headers = headers
        headers[.cookie] = cookies.withLock { $0.map { "\($0)=\($1)" }.joined(separator: "; ") }
        let answer = try await server.send(method, path, headers: headers, body: body, sourceLocation: sourceLocation)
        for cookie in answer.headers[values: .setCookie] {
            let pair = cookie.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1).map(String.init)
            setCookie(pair[0], pair.count > 1 && !cookie.contains("Max-Age=0") ? pair[1] : nil)
        }
        if answer.status != 303 { page.withLock { $0 = answer.text } }
        return answer
    }
}
