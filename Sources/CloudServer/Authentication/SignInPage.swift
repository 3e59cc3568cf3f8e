import CloudModel
import CloudStore
package import Hummingbird
import HTTPTypes
import NIOCore

/// `GET /auth/signin`, where the `redirectURL` of a 421 leads.
///
/// Signing in on the web comes with a later version; until then the page says so, and what to do instead.
package struct SignInPage: Sendable {
    private let links: SignInLinks
    private let accounts: AccountStore

    package init(_ authenticator: Authenticator) {
        links = authenticator.signIn
        accounts = authenticator.accounts
    }

    /// - Parameter query: the request's query as received.
    package func answer(query: String?) async throws -> Response {
        guard let text = Self.request(in: query), let request = links.open(text),
            let container = try await accounts.containers().first(where: { $0.id == request.container })
        else {
            return Self.page(
                .badRequest, title: "This sign-in link does not work",
                body: "<p>It has expired or is incomplete. Go back to the app and sign in again.</p>")
        }
        return Self.page(
            .ok, title: "Signing in on the web is not there yet",
            body: """
                <p>The app asks you to sign in to <b>\(HTML.escape(container.name))</b> \
                (\(request.environment.rawValue)). This version of the server has no sign-in page yet; it comes \
                with a later one.</p>
                <p>Until then, whoever runs this server can make a web auth token for you:</p>
                <pre>cumulus session create --container \(HTML.escape(container.name)) \
                --environment \(request.environment.rawValue) --email you@example.com</pre>
                """)
    }

    private static func request(in query: String?) -> String? {
        query?.split(separator: "&").first { $0.hasPrefix("request=") }.map {
            PercentEncoding.decode($0.dropFirst("request=".count).utf8)
        }
    }

    private static func page(_ status: HTTPResponse.Status, title: String, body: String) -> Response {
        let html = """
            <!DOCTYPE html>
            <html lang="en">
            <head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(title)</title>
            <style>body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:3rem auto;padding:0 1rem}\
            pre{white-space:pre-wrap;word-break:break-word;background:#8882;padding:.75rem;border-radius:.4rem}</style></head>
            <body><h1>\(title)</h1>
            \(body)
            </body></html>

            """
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: html)))
    }

    /// No opener policy: the page that opened this one must stay reachable from it (reference B §3.6).
    private static let headers: HTTPFields = {
        var headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8",
            .cacheControl: "no-store",
            .contentSecurityPolicy:
                "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
            .xContentTypeOptions: "nosniff",
        ]
        if let referrerPolicy = HTTPField.Name("Referrer-Policy") { headers[referrerPolicy] = "no-referrer" }
        if let frameOptions = HTTPField.Name("X-Frame-Options") { headers[frameOptions] = "DENY" }
        return headers
    }()
}

/// Text made safe to stand in a page.
enum HTML {
    static func escape(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.append(character)
            }
        }
    }
}
