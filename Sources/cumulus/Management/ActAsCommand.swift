import ArgumentParser
import CloudModel
import CloudOperations
import Foundation

struct ActAsCommand: ManagementCommand {
    static let configuration = CommandConfiguration(
        commandName: "act-as", abstract: "Try a query or a save as somebody, and tell what would come of it.",
        discussion: """
            The server runs the request by the same code and undoes what it wrote: nothing is saved and nobody is told. \
            BODY is that of the request, '-' reads it from standard input.

            cumulus act-as iCloud.com.example.app records/query '{"query": {"recordType": "Note"}}' --user me@example.com
            """)

    @Argument(help: .of(\RehearsalChoice.place.container)) var container: String
    @Argument(help: .of(\RehearsalChoice.operation)) var operation: String
    @Argument(help: "Its body, a JSON object.") var body: String
    @Option(help: .of(\RehearsalChoice.user))
    var user: String?
    @Option(help: .of(\RehearsalChoice.key)) var key: String?
    @Flag(name: .customLong("operator"), help: .of(\RehearsalChoice.operator))
    var isOperator = false
    @Option(help: .of(\RehearsalChoice.database)) var database = "public"
    @Option(help: .of(\RehearsalChoice.place.environment)) var environment = ContainerEnvironment.development
    @OptionGroup var access: AccessOptions
    @OptionGroup var output: OutputOptions

    func perform(_ operations: any Operations) async throws -> Report {
        let bytes = body == "-" ? [UInt8](FileHandle.standardInput.readDataToEndOfFile()) : Array(body.utf8)
        let info = try await operations.run(
            RehearsalOperations.run,
            [
                "container": .string(container), "environment": .string(environment.rawValue),
                "operation": .string(operation), "body": try JSONParser.parse(bytes), "user": .text(user),
                "key": .text(key), "operator": isOperator ? .bool(true) : nil, "database": .string(database),
            ])
        let trail = info.trail.map { "  \($0.outcome == "passed" ? "+" : "-") \($0.step): \($0.text)" }
        return Report(([info.verdict] + trail).map(PlainText.line).joined(separator: "\n"), answer: info)
    }
}
