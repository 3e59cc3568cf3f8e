import ArgumentParser
import CloudModel
import CloudOperations
import Foundation
import NIOHTTP1

/// Lists recent requests, or follows new requests.
struct LogsCommand: InputCommand {
    static let configuration = CommandConfiguration(
        commandName: "logs", abstract: "Show the last requests that a server has answered.",
        discussion: "'cumulus why UUID' tells all of one.")

    static let arguments: [InputArgument<RequestPage>] = [
        .option(\.user), .option(text: \.code),
        .option(text: \.slower, help: "Only requests that took longer, such as 100ms or 2s."), .option(\.container),
        .flag(\.refused),
    ]

    @Flag(help: "Go on with each request that is answered, until interrupted.") var follow = false
    @OptionGroup var input: InputOptions<Self>
    @Option(help: "How many requests to begin with, at most 1000.") var last = 50
    @OptionGroup var access: AccessOptions
    @OptionGroup var output: OutputOptions

    /// The polling interval.
    private static let pause = Duration.milliseconds(250)

    func run() async throws {
        do {
            let filter = try filter()
            try await access.withServer { server in
                var next = try await show(server, "limit=\(last)&" + filter)
                while follow {
                    try await Task.sleep(for: Self.pause)
                    next = try await show(server, "limit=1000&after=\(next)&" + filter)
                }
            }
        } catch {
            throw Complaint(error)
        }
    }

    /// - Returns: the position after which to continue.
    private func show(_ server: ManagementClient, _ query: String) async throws -> Int64 {
        let answer = try await server.ask(.GET, "requests?\(query)", accept: "application/json").json
        let (requests, next) = try server.understood(
            answer.object.flatMap { answer in
                answer["requests"]?.array.flatMap { list in answer["next"]?.integer.map { (list, $0) } }
            })
        for request in requests { print(try text(of: request, server)) }
        fflush(nil)
        return next
    }

    private func text(of request: JSONValue, _ server: ManagementClient) throws -> String {
        if output.json {
            var writer = JSONWriter()
            writer.value(request)
            return PlainText.block(String(decoding: writer.bytes, as: UTF8.self))
        }
        let story = try server.understood(RequestStory(request))
        return PlainText.line("\(story.time)  \(request.object?["uuid"]?.string ?? "")  \(story.line)")
    }

    private func filter() throws -> String {
        var draft = input.draft
        if let slower = draft.arguments["slower"]?.string {
            draft.set(\.slower, json: .string("\(try Self.milliseconds(slower))"))
        }
        let arguments = draft.arguments
        return arguments.names.sorted().compactMap { name in
            arguments[name]?.string.map { "\(name)=\(ManagementClient.encoded($0))" }
        }.joined(separator: "&")
    }

    private static func milliseconds(_ text: String) throws -> Int {
        guard let match = text.wholeMatch(of: #/(\d{1,7})(ms|s)/#), let number = Int(match.output.1) else {
            throw Complaint("--slower must be a time such as 100ms or 2s, not '\(text)'")
        }
        return match.output.2 == "s" ? number * 1000 : number
    }
}
