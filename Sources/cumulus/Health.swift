import ArgumentParser
import AsyncHTTPClient
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
        do {
            let answer = try await HTTPClient.shared.execute(
                HTTPClientRequest(url: origin + "/health"), timeout: .seconds(3))
            guard answer.status == .ok else { throw Complaint("\(origin) answers \(answer.status)") }
            print("\(origin) is well")
        } catch let complaint as Complaint {
            throw complaint
        } catch {
            throw Complaint("\(origin) does not answer: \(error)")
        }
    }

    private func localOrigin() throws -> String {
        do {
            let server = try common.reader().settings().server
            return "http://\(ListeningAddress(server.host).reachable):\(server.port)"
        } catch { throw Complaint(error) }
    }
}
