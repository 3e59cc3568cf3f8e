import CloudServer
import ArgumentParser
import CloudModel
import CloudOperations
import Foundation

extension SchemaCommand {
    struct Types: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "types",
            abstract: "Print types for the records of a schema, in the language of a client, or write them to a file.",
            discussion: "The schema is that of a container, or with --schema of a file; the latter asks no server.")
        @Argument(help: "The container; left out with --schema.") var container: String?
        @Option(help: "The language: typescript or swift.") var language: SchemaTypes.Language
        @Option(help: ArgumentHelp("A schema's text; - reads standard input.", valueName: "file")) var schema: String?
        @Option(help: "The environment: development or production; development when left out.")
        var environment: ContainerEnvironment?
        @Option(help: "Where to write them; - is standard output.") var file = "-"
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard (container == nil) != (schema == nil) else {
                throw ValidationError("Name either a container or, with --schema, the file of a schema.")
            }
            guard schema != nil else { return }
            guard environment == nil else {
                throw ValidationError("A file has no environments: leave out --environment, or name a container.")
            }
            guard access.server == nil, access.managementTokenFile == nil else {
                throw ValidationError(
                    "A file is read without a server: leave out --server and --management-token-file, or name a container."
                )
            }
        }

        func run() async throws {
            let report: Report
            do { report = try await made() } catch { throw Complaint(error) }
            report.print(asJSON: output.json)
        }

        private func made() async throws -> Report {
            let text = SchemaTypes.text(try await definition(), in: language, madeBy: command)
            let json = JSONValue.members(["types": .string(text)])
            guard file != "-" else { return Report(String(text.dropLast()), json: json) }
            try SchemaFile.write(text, to: file)
            let source = container ?? schema.map { SchemaFile(path: $0).name } ?? ""
            return Report("Wrote the types of \(source) to \(file).", json: json)
        }

        private func definition() async throws -> SchemaDefinition {
            guard let container else { return try SchemaFile(path: schema ?? "-").content().schema }
            let place = EnvironmentAddress(container: container, environment: environment ?? .development)
            return try SchemaParser.parse(try await access.operations().run(SchemaOperations.export, place).text)
        }

        /// The command that regenerates the text, independent of the schema file's folder.
        private var command: String {
            var words = ["cumulus", "schema", "types"]
            if let schema { words += ["--schema", schema == "-" ? schema : URL(filePath: schema).lastPathComponent] }
            if let container { words.append(container) }
            if let environment, environment != .development { words += ["--environment", environment.rawValue] }
            return (words + ["--language", language.rawValue]).map(Self.quoted).joined(separator: " ")
        }

        /// Quotes a word for the shell.
        private static func quoted(_ word: String) -> String {
            word.wholeMatch(of: /[A-Za-z0-9._-]+/) == nil ? "'\(word.replacing("'", with: #"'\''"#))'" : word
        }
    }
}

extension SchemaTypes.Language: ExpressibleByArgument {}
