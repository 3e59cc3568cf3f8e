import ArgumentParser
import CloudModel
import CloudOperations
import Foundation

struct PageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "page", abstract: "Say which public records have a page behind /share/, and what it shows.",
        subcommands: [Set.self, List.self, Remove.self])

    struct Set: ManagementCommand, InputCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Give a record type its page, in place of the one it has.",
            discussion: "docs/share-pages.md tells what a rule can say.")
        static let arguments: [InputArgument<NewPageRule>] = [.option(\.container)]
        @OptionGroup var input: InputOptions<Self>
        @Argument(help: "A JSON file with the rule; - reads it from standard input.") var file: String
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            var draft = input.draft
            draft.set(\.rule, to: try json())
            let rule = try await operations.run(PageRuleOperations.set, draft)
            let container = try input[\.container]
            return Report(
                "Records of type \(rule.recordType) in \(container) have a page at /share/{recordName}.",
                json: .members(["container": .string(container), "rule": rule.rule]))
        }

        private func json() throws -> JSONValue {
            let handle = file == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: file)
            guard let data = try handle?.readToEnd() else { throw Complaint("\(file): cannot be read, or is empty") }
            do { return try JSONParser.parse(Array(data)) } catch {
                throw Complaint("\(file): not valid JSON: \(error.reason)")
            }
        }
    }

    struct List: ManagementCommand, InputCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the pages there are.")
        static let arguments: [InputArgument<ContainerPage>] = [.option(\.container)]
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            .list(
                try await operations.all(PageRuleOperations.list, input.draft),
                empty: "No record type has a page yet.",
                columns: ["CONTAINER", "RECORD TYPE", "TITLE", "ITEMS", "APP"],
                row: {
                    [
                        $0.container, $0.recordType, $0.title, $0.itemType ?? "none", $0.app ?? "none",
                    ]
                },
                json: { .members(["container": .string($0.container), "rule": $0.rule]) })
        }
    }

    struct Remove: OperationCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Take the page of a record type away. The records stay.")
        static let operation = PageRuleOperations.remove
        static let arguments: [InputArgument<PageRuleChoice>] = [.option(\.container), .argument(\.recordType)]
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func report(_: Done) throws -> Report {
            let (container, recordType) = (try input[\.container], try input[\.recordType])
            return Report(
                "Records of type \(recordType) in \(container) have no page any more.",
                json: .members(["container": .string(container), "recordType": .string(recordType)]))
        }
    }
}
