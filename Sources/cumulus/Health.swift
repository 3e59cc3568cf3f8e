import ArgumentParser
import AsyncHTTPClient
import CloudModel
import CloudServer
import NIOCore
import NIOHTTP1

struct Health: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Ask a running server whether it is well; the exit code is 0 if so, else 1.",
        discussion: "Without --url it asks the server that the settings describe, on this machine.")

    @OptionGroup var common: CommonOptions
    @Option(help: ArgumentHelp("Origin to ask, such as http://127.0.0.1:8080.", valueName: "url")) var url: String?

    func run() async throws {
        let origin = try url ?? localOrigin()
        let answer: (status: HTTPResponseStatus, body: ByteBuffer)
        do {
            answer = try await HTTPClient.withHTTPClient(configuration: ManagementClient.configuration) {
                let response = try await $0.execute(HTTPClientRequest(url: origin + "/health"), timeout: .seconds(10))
                return (response.status, try await response.body.collect(upTo: Self.largestAnswer))
            }
        } catch {
            throw Unreachable.complaint(error, at: origin)
        }
        guard answer.status == .ok else {
            throw Complaint(
                Self.troubles(answer.body).map { "\(origin) is not well: \($0)" }
                    ?? "\(origin) answers \(answer.status)")
        }
        print("\(origin) is well")
    }

    private static let largestAnswer = 1 << 20

    /// The sentences of an answer, each on a line when there are several.
    private static func troubles(_ body: ByteBuffer) -> String? {
        let json = try? JSONParser.parse(Array(body.readableBytesView))
        let reasons = (json?.object?["troubles"]?.array ?? []).compactMap { $0.object?["reason"]?.string }
        return reasons.isEmpty ? nil : reasons.joined(separator: "\n")
    }

    private func localOrigin() throws -> String {
        do {
            let server = try common.reader().settings().server
            return "http://\(ListeningAddress(server.host).reachable):\(server.port)"
        } catch { throw Complaint(error) }
    }
}
