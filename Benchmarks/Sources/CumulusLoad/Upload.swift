import ArgumentParser
import Foundation
import NIOCore
import Traffic

/// Uploads versions of one file one after the other, and prints how long one takes.
struct Upload: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Times uploads of a file, as assets or with PUT to any other server.")
    private static let type = "Upload"
    private static let field = "file"

    @OptionGroup var target: Target

    @Option(help: "The file.")
    var file: String

    @Option(help: "How often to send it.")
    var count = 1

    @Option(help: "Where to PUT it instead; `%` stands for the number of the upload.")
    var put: String?

    func run() async throws {
        let caller = HTTPCaller(connections: 1)
        let version = FileVersion([UInt8](try Data(contentsOf: URL(filePath: file))))
        // Content that is stored already would spare the server some of the work: no two runs send the same.
        let first = Int.random(in: 0..<Int.max / 2)
        let files = (0..<count).map { version.numbered(first + $0) }
        var latencies = Latencies()
        if let put {
            for (number, file) in files.enumerated() {
                latencies.add(try await Self.time(put.replacing("%", with: "\(number)"), file, "PUT", caller))
            }
        } else {
            let session = try await CloudSession.signIn(
                target.email, to: target.container, at: target.origin, through: caller)
            let links = try await session.uploadLinks(count, for: Self.type, field: Self.field, zone: nil)
            for (link, file) in zip(links, files) {
                latencies.add(try await Self.time(link, file, "POST", caller))
            }
        }
        try await caller.shutdown()
        print(latencies.percentile(0.5).milliseconds)
    }

    private static func time(
        _ url: String, _ file: ByteBuffer, _ method: String, _ caller: HTTPCaller
    ) async throws -> Duration {
        let start = ContinuousClock.now
        let answer = try await caller.send(file, to: url, method: method)
        guard (200..<300).contains(answer.status) else {
            throw CloudSession.Refused(status: answer.status, text: String(decoding: answer.body, as: UTF8.self))
        }
        return start.duration(to: .now)
    }
}
