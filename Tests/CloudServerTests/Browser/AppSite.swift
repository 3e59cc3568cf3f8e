@testable import CloudHTTP
import TestCloud
import Foundation
import Testing

/// The web site of an app, at an origin that is not the server's: pages that hold what they are given.
struct AppSite: Sendable {
    let origin: String

    /// Serves the pages, by path, for as long as `body` takes. The first character of what a page becomes is `<`.
    static func run(
        _ pages: @escaping @Sendable (_ path: String) -> String, _ body: @Sendable (AppSite) async throws -> Void
    ) async throws {
        let (ports, tell) = AsyncStream.makeStream(of: Int.self)
        let server = PlainServer(host: "127.0.0.1", port: 0) { request in
            let path = String(request.target.prefix { $0 != "?" })
            return Response(
                status: .ok, headers: [.contentType: "text/html; charset=utf-8"],
                body: ResponseBody(bytes: Array(pages(path).utf8)))
        } onListening: { port in
            tell.yield(port)
        }
        try await running([server]) {
            for await port in ports { return try await body(AppSite(origin: "http://localhost:\(port)")) }
        }
    }

    /// A page that asks who the user is as CloudKit JS does: it gets the sign-in link beforehand, opens it in a window
    /// on a click, and takes the first message that is an object.
    static func signInPage(caller: String) -> String {
        """
        <!DOCTYPE html><title>App</title>
        <button id="popup">Sign in</button> <button id="redirect">Sign in here</button>
        <pre id="message"></pre>
        <script>
        let link;
        fetch("\(caller)").then(answer => answer.json()).then(json => {
            link = json.redirectURL;
            document.body.dataset.ready = "";
        });
        document.getElementById("popup").onclick = () => window.open(link, "", "width=640,height=525");
        document.getElementById("redirect").onclick = () => { location.href = link; };
        addEventListener("message", event => {
            if (typeof event.data !== "object") return;
            document.getElementById("message").textContent = JSON.stringify({from: event.origin, ...event.data});
        });
        </script>
        """
    }
}
