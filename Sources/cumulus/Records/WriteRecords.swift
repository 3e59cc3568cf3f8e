import ArgumentParser
import CloudModel
import CloudOperations
import Foundation

/// The options for a command's fields.
struct FieldOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Fields as a JSON object; a value may stand alone.", valueName: "json"))
    var fields: String?
    @Option(help: ArgumentHelp("A file with them; - reads standard input.", valueName: "file")) var fieldsFile: String?

    func validate() throws {
        if fields != nil, fieldsFile != nil { throw ValidationError("name --fields or --fields-file, not both") }
    }

    func object() throws -> JSONObject {
        if let fieldsFile { return try WrittenValue.fields(try TextFile.read(fieldsFile)) }
        return try WrittenValue.fields(fields ?? "{}")
    }
}

/// `cumulus records create`.
struct CreateRecord: RecordsSubcommand {
    static let configuration = CommandConfiguration(commandName: "create", abstract: "Create a record.")
    @OptionGroup var place: RecordsOptions
    @Option(help: "The record type.") var type: String
    @Option(help: "The record's name; a new one without.") var name: String?
    @OptionGroup var fields: FieldOptions
    @OptionGroup var access: AccessOptions
    @OptionGroup var output: OutputOptions

    func perform(on records: any RecordAccess) async throws -> Report {
        var record = ["recordType": JSONValue.string(type), "fields": .object(try fields.object())]
        if let name { record["recordName"] = .string(name) }
        return try .changed(try await records.modify([.operation("create", record)]), output)
    }
}

/// `cumulus records update`.
struct UpdateRecord: RecordsSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "update", abstract: "Change fields of a record; null takes one away.",
        discussion: "A record that somebody else changes at the same moment stays as it is, and the exit code is 1.")
    @OptionGroup var place: RecordsOptions
    @Argument(help: "The record's name.") var name: String
    @OptionGroup var fields: FieldOptions
    @OptionGroup var access: AccessOptions
    @OptionGroup var output: OutputOptions

    func perform(on records: any RecordAccess) async throws -> Report {
        let found = try await records.lookup([name])
        guard let old = found.first?.object, let tag = old["recordChangeTag"] else {
            return try .changed(found, output)
        }
        let record: [String: JSONValue] = [
            "recordName": .string(name), "recordType": old["recordType"] ?? .null, "recordChangeTag": tag,
            "fields": .object(try fields.object()),
        ]
        return try .changed(try await records.modify([.operation("update", record)]), output)
    }
}

/// `cumulus records delete`.
struct DeleteRecords: RecordsSubcommand {
    static let configuration = CommandConfiguration(commandName: "delete", abstract: "Delete records by their names.")
    @OptionGroup var place: RecordsOptions
    @Argument(help: "The records' names.") var names: [String]
    @OptionGroup var access: AccessOptions
    @OptionGroup var output: OutputOptions

    func perform(on records: any RecordAccess) async throws -> Report {
        let operations = names.map { JSONValue.operation("forceDelete", ["recordName": .string($0)]) }
        return try .changed(try await records.modify(operations), output)
    }
}

/// `cumulus records modify`.
struct ModifyRecords: RecordsSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "modify", abstract: "Save and delete records with operations as clients send them.",
        discussion: "The exit code is 1 when an operation is refused.")
    @OptionGroup var place: RecordsOptions
    @Argument(help: "A JSON array of operations.") var operations: String
    @OptionGroup var access: AccessOptions
    @OptionGroup var output: OutputOptions

    func perform(on records: any RecordAccess) async throws -> Report {
        guard let operations = try JSONValue(typed: operations).array else {
            throw Complaint("operations must be a JSON array")
        }
        return try .changed(try await records.modify(operations), output)
    }
}

/// `cumulus records import`.
struct ImportRecords: RecordsSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Save records from a file, a JSON object to a line, whatever is there.",
        discussion: """
            A line is a record with recordType, recordName and fields, whose values may stand alone. What is refused is \
            told with its line, the others are saved, and the exit code is 1.
            """)
    @OptionGroup var place: RecordsOptions
    @Argument(help: "The file; - reads standard input.") var file: String
    @OptionGroup var access: AccessOptions
    @OptionGroup var output: OutputOptions

    private static let batch = 200

    func perform(on records: any RecordAccess) async throws -> Report {
        var (saved, refused) = (0, [String]())
        let lines = try Self.lines(try TextFile.read(file))
        for start in stride(from: 0, to: lines.count, by: Self.batch) {
            let batch = lines[start..<min(start + Self.batch, lines.count)]
            for (line, outcome) in zip(batch, try await records.modify(batch.map(\.operation))) {
                guard let code = outcome.object?["serverErrorCode"]?.string else {
                    saved += 1
                    continue
                }
                refused.append("line \(line.number): \(code), \(outcome.object?["reason"]?.string ?? "")")
            }
        }
        let text = (["\(Counted.text(saved, "record was", "records were")) saved."] + refused.map(PlainText.line))
            .joined(separator: "\n")
        let report = Report(
            text,
            json: .members(["saved": .integer(Int64(saved)), "refused": .array(refused.map(JSONValue.string))]))
        guard !refused.isEmpty else { return report }
        report.print(asJSON: output.json)
        throw ExitCode.failure
    }

    private static func lines(_ text: String) throws -> [(number: Int, operation: JSONValue)] {
        try text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
            guard line.contains(where: { !$0.isWhitespace }) else { return nil }
            guard let record = (try? JSONParser.parse(Array(line.utf8)))?.object, record["recordType"]?.string != nil
            else {
                throw Complaint(
                    #"line \#(index + 1): must be a record such as {"recordType": "Note", "fields": {"title": "Milk"}}"#
                )
            }
            let fields = try WrittenValue.fields((record["fields"] ?? .object(JSONObject())).text)
            let members = record.members.filter { $0.key != "fields" } + [.init(key: "fields", value: .object(fields))]
            return (
                index + 1,
                .members(["operationType": .string("forceReplace"), "record": .object(JSONObject(members))])
            )
        }
    }
}

/// Reads a text file named by a command.
enum TextFile {
    /// - Parameter path: `-` reads standard input.
    static func read(_ path: String) throws -> String {
        if path == "-" { return String(decoding: FileHandle.standardInput.readDataToEndOfFile(), as: UTF8.self) }
        do { return try String(contentsOfFile: path, encoding: .utf8) } catch {
            throw Complaint("cannot read \(path): \(error.localizedDescription)")
        }
    }
}

extension JSONValue {
    static func operation(_ type: String, _ record: [String: JSONValue]) -> JSONValue {
        .members(["operationType": .string(type), "record": .object(record)])
    }
}
