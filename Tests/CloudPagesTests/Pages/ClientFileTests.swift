import CloudHTTP
import TestCloud
import CloudModel
import Foundation
import NIOCore
import Testing

/// `/client/…`: the JavaScript client as pages import it.
@Suite(.timeLimit(.minutes(10)))
struct ClientFileTests {
    @Test("Every file that the client imports is served to pages of any origin")
    func imports() async throws {
        try await TestServer.run(dev: false) { server in
            var left = ["cumulus.js", "offline.js", "cloudkit-js.js", "testing.js"]
            var seen: Set<String> = []
            while let name = left.popLast() {
                guard seen.insert(name).inserted else { continue }
                let answer = try await server.send(.get, "/client/\(name)")
                #expect(
                    answer.status == 200 && answer.headers[.contentType] == "text/javascript; charset=utf-8", "\(name)")
                #expect(answer.headers[.accessControl.allowOrigin] == "*", "\(name)")
                let folder = URL(filePath: "/" + name).deletingLastPathComponent()
                left += answer.text.matches(of: /from "(\.[^"]+)"/).map {
                    String(folder.appending(path: String($0.output.1)).standardizedFileURL.path().dropFirst())
                }
            }
            #expect(seen.count > 20, "\(seen)")
            let tag = try await server.send(.get, "/client/cumulus.js").headers[.eTag]
            let again = try await server.send(.get, "/client/cumulus.js", headers: [.condition.noneMatch: tag ?? ""])
            #expect(again.status == 304)
            let types = try await server.send(.get, "/client/cumulus.d.ts")
            #expect(types.headers[.contentType] == "text/plain; charset=utf-8")
        }
    }

    @Test(
        "Only client files are served under the client path",
        arguments: ["package.json", "../static/share.css", "lib/../cumulus.js", "lib", ""])
    func nothingElse(path: String) async throws {
        try await TestServer.run(dev: false) { server in
            let answer = try await server.send(.get, "/client/\(path)")
            #expect(answer.status == 404)
        }
    }
}
