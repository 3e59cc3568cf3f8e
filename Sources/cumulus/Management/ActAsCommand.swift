import ArgumentParser
import CloudModel
import CloudOperations
import Foundation

struct ActAsCommand: ManagementCommand, InputCommand {
    static let configuration = CommandConfiguration(
        commandName: "act-as", abstract: "Try a query or a save as somebody, and tell what would come of it.",
        discussion: """
            The server runs the request by the same code and undoes what it wrote: nothing is saved and nobody is told. \
            BODY is that of the request, '-' reads it from standard input.

            cumulus act-as iCloud.com.example.app records/query '{"query": {"recordType": "Note"}}' --user me@example.com
            """)

    static let arguments: [InputArgument<RehearsalChoice>] = [
        .argument(\.place.container), .argument(text: \.operation),
        .argument(text: \.body, help: "Its body, a JSON object."), .option(\.user), .option(\.key),
        .flag(\.operator), .option(text: \.database, or: DatabaseScope.public.rawValue),
        .option(\.place.environment, or: .development),
    ]
    @OptionGroup var input: InputOptions<Self>
    @OptionGroup var access: AccessOptions
    @OptionGroup var output: OutputOptions

    func perform(_ operations: any Operations) async throws -> Report {
        var draft = input.draft
        let body = draft.arguments["body"]?.string ?? ""
        let bytes = body == "-" ? [UInt8](FileHandle.standardInput.readDataToEndOfFile()) : Array(body.utf8)
        draft.set(\.body, json: try JSONParser.parse(bytes))
        let info = try await operations.run(RehearsalOperations.run, draft)
        let trail = info.trail.map { "  \($0.outcome == "passed" ? "+" : "-") \($0.step): \($0.text)" }
        return Report(([info.verdict] + trail).map(PlainText.line).joined(separator: "\n"), answer: info)
    }
}
