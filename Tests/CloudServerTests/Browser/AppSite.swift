import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Testing

/// The web site of an app, at an origin that is not the server's: pages that hold what they are given.
struct AppSite: Sendable {
    let origin: String

    /// Serves the pages, by path, for as long as `body` takes. The first character of what a page becomes is `<`.
    static func run(
        _ pages: @escaping @Sendable (_ path: String) -> String, _ body: @Sendable (AppSite) async throws -> Void
    ) async throws {
        var logger = Logger(label: "app")
        logger.logLevel = .critical
        let responder = CallbackResponder<BasicRequestContext> { request, _ in
            Response(
                status: .ok, headers: [.contentType: "text/html; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: pages(request.uri.path))))
        }
        let app = Application(
            responder: responder, configuration: .init(address: .hostname("127.0.0.1", port: 0)), logger: logger)
        try await app.test(.live) { client in
            try await body(AppSite(origin: "http://localhost:\(try #require(client.port))"))
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
