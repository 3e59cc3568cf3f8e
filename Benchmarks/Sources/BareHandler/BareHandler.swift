import ArgumentParser
import Foundation
import Hummingbird
import NIOCore

/// The limit to compare with: the HTTP library alone, reading the body and answering fixed bytes of JSON.
@main
struct BareHandler: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bare-handler", abstract: "Answers every POST with the bytes of one file.")

    @Option(help: "The loopback port to listen on.")
    var port: Int

    @Option(help: "The file whose bytes are the answer.")
    var answer: String

    func run() async throws {
        let bytes = ByteBuffer(bytes: try contents(of: answer))
        let router = Router()
        router.post("**") { request, _ in
            for try await _ in request.body {}
            return Response(
                status: .ok, headers: [.contentType: "application/json; charset=UTF-8"],
                body: ResponseBody(byteBuffer: bytes))
        }
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)))
        try await application.runService()
    }

    private func contents(of path: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(filePath: path)))
    }
}
