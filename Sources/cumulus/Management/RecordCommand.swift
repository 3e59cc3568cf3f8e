import ArgumentParser
import CloudModel
import CloudOperations
import Foundation

/// Everybody's records, as operators look at them and change them.
struct RecordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record", abstract: "List, show, query and change records of anybody.",
        discussion: "A look at somebody's private records leaves a line in the audit log, and so does every change.",
        subcommands: [List.self, Show.self, Query.self, Modify.self])

    /// The database and zone.
    struct Place: ParsableArguments {
        @Argument(help: "The container.") var container: String
        @Option(help: "The environment: development or production.") var environment = ContainerEnvironment.development
        @Option(help: "Whose private records: an email address or user record name; public ones without.")
        var user: String?
        @Option(help: "The zone; the default zone without.") var zone: String?

        func arguments(_ more: Arguments) -> Arguments {
            var arguments = more
            arguments["container"] = .string(container)
            arguments["environment"] = .string(environment.rawValue)
            if let user { arguments["user"] = .string(user) }
            if let zone { arguments["zone"] = .string(zone) }
            return arguments
        }
    }

    struct List: ManagementCommand {
        static let configuration = CommandConfiguration(
            abstract: "List a type's records in a zone, in the order they were made.")
        @OptionGroup var place: Place
        @Option(help: "The record type.") var type: String
        @Option(help: "Records at most.") var limit = 100
        @Option(help: "The place where the page before ended, as it says.") var after: String?
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            .records(
                try await operations.run(
                    RecordOperations.list,
                    place.arguments([
                        "type": .string(type), "limit": .integer(Int64(limit)), "after": .text(after),
                    ])))
        }
    }

    struct Show: ManagementCommand {
        static let configuration = CommandConfiguration(abstract: "Show one record, and what refers to it.")
        @OptionGroup var place: Place
        @Option(help: "The record's name.") var name: String
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            let info = try await operations.run(
                RecordOperations.show, place.arguments(["recordName": .string(name)]))
            return Report(JSONValue(answer: info).text, answer: info)
        }
    }

    struct Query: ManagementCommand {
        static let configuration = CommandConfiguration(
            abstract: "Find records with a query as clients send it: recordType, filterBy, sortBy.")
        @OptionGroup var place: Place
        @Argument(help: "The query's JSON.") var query: String
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            .records(
                try await operations.run(
                    RecordOperations.query, place.arguments(["query": try JSONValue(typed: query)])))
        }
    }

    struct Modify: ManagementCommand {
        static let configuration = CommandConfiguration(
            abstract: "Save and delete records with operations as clients send them.",
            discussion: "The exit code is 1 when an operation is refused.")
        @OptionGroup var place: Place
        @Argument(help: "A JSON array of operations.") var operations: String
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ way: any Operations) async throws -> Report {
            let done = try await way.run(
                RecordOperations.modify, place.arguments(["operations": try JSONValue(typed: operations)]))
            let report = Report(done.records.map(\.text).joined(separator: "\n"), answer: done)
            guard done.records.contains(where: { $0.object?["serverErrorCode"] != nil }) else { return report }
            report.print(asJSON: output.json)
            throw ExitCode.failure
        }
    }
}

extension Report {
    /// A record to a line.
    fileprivate static func records(_ page: RecordList) -> Report {
        Report(
            page.records.isEmpty ? "There are no such records." : page.records.map(\.text).joined(separator: "\n"),
            remark: page.next.map { "There are more: --after '\($0)'" }, answer: page)
    }
}

extension JSONValue {
    /// On one line.
    fileprivate var text: String {
        var writer = JSONWriter()
        writer.value(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    fileprivate init(typed text: String) throws {
        do { self = try JSONParser.parse(Array(text.utf8)) } catch { throw Complaint("no valid JSON: \(error.reason)") }
    }
}
