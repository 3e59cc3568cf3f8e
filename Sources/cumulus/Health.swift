import CloudHTTP
import CloudServer
import ArgumentParser
import AsyncHTTPClient
import CloudModel
import NIOCore
import NIOHTTP1

struct Health: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Ask a running server whether it is well; the exit code is 0 if so, else 1.",
        discussion: "Without --url it asks the server that the settings describe, on this machine.")

    @OptionGroup var common: CommonOptions
    @Option(help: ArgumentHelp("Origin to ask, such as http://127.0.0.1:8080.", valueName: "url")) var url: String?

    func run() async throws {
        let origin = try url ?? localOrigin()
        let answer = try await Self.ask(origin)
        if let troubles = answer.troubles { throw Complaint("\(origin) is not healthy: \(troubles)") }
        print("\(origin) is well")
    }

    /// A server's answer about its health.
    struct Answer {
        /// The answer's messages, a line for each; nil for a healthy server.
        let troubles: String?
    }

    private static let largestResponse = 1 << 20

    /// - Throws: ``Complaint`` if the server is unreachable or another program answers.
    static func ask(_ origin: String) async throws -> Answer {
        let (status, body): (HTTPResponseStatus, ByteBuffer)
        do {
            (status, body) = try await HTTPClient.withHTTPClient(configuration: ManagementClient.configuration) {
                let response = try await $0.execute(HTTPClientRequest(url: origin + "/health"), timeout: .seconds(10))
                return (response.status, try await response.body.collect(upTo: largestResponse))
            }
        } catch {
            throw Unreachable.complaint(error, at: origin)
        }
        let json = (try? JSONParser.parse(Array(body.readableBytesView)))?.object
        let reasons = (json?["troubles"]?.array ?? []).compactMap { $0.object?["reason"]?.string }
        guard status == .ok || !reasons.isEmpty else { throw Complaint("\(origin) answers \(status)") }
        return Answer(troubles: status == .ok ? nil : reasons.joined(separator: "\n"))
    }

    private func localOrigin() throws -> String {
        do {
            let server = try common.reader().settings().server
            return "http://\(ListeningAddress(server.host).reachable):\(server.port)"
        } catch { throw Complaint(error) }
    }
}
