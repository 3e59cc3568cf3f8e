import Foundation
import TestProcess
import Testing

/// A web server on the loopback that webhooks are sent to. It notes what it takes.
final class WebhookReceiver: Sendable {
    struct Delivery: Hashable {
        /// The same at each attempt.
        let id: String
        /// The name of the record it tells of.
        let record: String
    }

    let url: String
    private let notes: URL
    private let process: ChildProcess

    /// - Parameter folder: for its program and its notes.
    init(in folder: URL) throws {
        notes = folder.appending(path: "deliveries")
        let port: String
        (process, port) = try ChildProcess.python(
            Self.program, at: folder.appending(path: "receiver.py"), notes.path())
        url = "http://127.0.0.1:\(try #require(UInt16(port)))/in"
    }

    deinit { process.send(SIGKILL) }

    /// In the order in which they came.
    var deliveries: [Delivery] {
        let text = FileManager.default.contents(atPath: notes.path()).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.split(separator: "\n").map { line in
            let words = line.split(separator: " ")
            return Delivery(id: String(words[0]), record: String(words[1]))
        }
    }

    private static let program = #"""
        import http.server, json, sys

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with open(sys.argv[1], "a") as notes:
                    notes.write(self.headers["webhook-id"] + " " + body["ck"]["qry"]["rid"] + "\n")
                self.send_response(204)
                self.end_headers()
            def log_message(self, *words): pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        print(server.server_address[1], flush=True)
        server.serve_forever()
        """#
}
