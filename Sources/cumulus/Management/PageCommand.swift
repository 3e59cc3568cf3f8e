import ArgumentParser
import CloudModel
import CloudOperations
import Foundation

struct PageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "page", abstract: "Say which public records have a page behind /share/, and what it shows.",
        subcommands: [Set.self, List.self, Remove.self])

    struct Set: ManagementCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give a record type its page, in place of the one it has.",
            discussion: "docs/share-pages.md tells what a rule can say.")
        @Option(help: .of(\NewPageRule.container)) var container: String
        @Argument(help: "A JSON file with the rule; - reads it from standard input.") var file: String
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            let rule = try await operations.run(PageRuleOperations.set) {
                $0.set(\.container, to: container)
                $0.set(\.rule, to: try json())
            }
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

    struct List: ManagementCommand {
        static let configuration = CommandConfiguration(abstract: "List the pages there are.")
        @Option(help: .of(\ContainerPage.container)) var container: String?
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            .list(
                try await operations.all(PageRuleOperations.list) { $0.set(\.container, to: container) },
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

    struct Remove: ManagementCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take the page of a record type away. The records stay.")
        @Option(help: .of(\PageRuleChoice.container)) var container: String
        @Argument(help: .of(\PageRuleChoice.recordType)) var recordType: String
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            _ = try await operations.run(PageRuleOperations.remove) {
                $0.set(\.container, to: container)
                $0.set(\.recordType, to: recordType)
            }
            return Report(
                "Records of type \(recordType) in \(container) have no page any more.",
                json: .members(["container": .string(container), "recordType": .string(recordType)]))
        }
    }
}
