import ArgumentParser
import CloudModel
import CloudOperations
import CloudStore

/// Commands on a container's schema: export, import, comparison and deployment.
struct SchemaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Export, import, compare and deploy a schema, or make types from it.",
        discussion: """
            A schema is text in the language of .ckdb files; docs/schema.md tells about it. A difference has a line for \
            each step: + for what comes, - for what goes, ~ for what is another.
            """,
        subcommands: [
            Export.self, Import.self, Validate.self, Diff.self, Deploy.self, Reset.self, Status.self,
            Types.self,
        ])

    struct Export: ManagementCommand, InputCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Print the schema, or write it to a file.")
        static let arguments = InputArgument.place
        @OptionGroup var input: InputOptions<Self>
        @Option(help: "Where to write it; - is standard output.") var file = "-"
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            let place = try input.draft.value()
            let text = try await operations.run(SchemaOperations.export, place).text
            let json = JSONValue.members(["schema": .string(text)])
            guard file != "-" else { return Report(String(text.dropLast()), json: json) }
            try SchemaFile.write(text, to: file)
            return Report(
                "Wrote the schema of \(place.container), \(place.environment.rawValue), to \(file).", json: json)
        }
    }

    struct Import: ManagementCommand, InputCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Make development's schema what a file says.",
            discussion: "What the file leaves out goes, with its data, but never what production has.")
        static let arguments = InputArgument.container
        @OptionGroup var input: InputOptions<Self>
        @Option(help: "The schema's text; - reads standard input.") var file: String
        @Flag(help: "Show what would change, and change nothing.") var dryRun = false
        @Flag(help: "Do not ask before data is lost.") var yes = false
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            let place = try input.place(.development)
            let content = try SchemaFile(path: file).content()
            // Apply exactly the agreed plan: a schema changed meanwhile is refused by its tag.
            var tag: String?
            if dryRun || !yes {
                let planned = try await operations.importSchema(content.text, SchemaPlan(place, dryRun: true))
                if dryRun {
                    return .difference(planned.steps, none: Self.none, remark: "Nothing was changed." + content.remark)
                }
                try Consent.ask(for: planned.steps, in: place.container, answerable: file != "-")
                tag = planned.tag
            }
            let done = try await operations.importSchema(content.text, SchemaPlan(place, ifTag: tag))
            return .difference(done.steps, none: Self.none, remark: "Imported into development." + content.remark)
        }

        private static let none = "Development has this schema already."
    }

    struct Validate: ManagementCommand, InputCommand {
        static let configuration = CommandConfiguration(
            commandName: "validate",
            abstract: "Tell whether a file could be imported, and what that would change.",
            discussion: "Of production it tells what deploying the file would change, once development has it.")
        static let arguments = InputArgument.place
        @OptionGroup var input: InputOptions<Self>
        @Option(help: "The schema's text; - reads standard input.") var file: String
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            let place = try input.draft.value()
            let content = try SchemaFile(path: file).content()
            if place.environment == .production { return try await compare(content, place, operations) }
            return .difference(
                try await operations.importSchema(content.text, SchemaPlan(place, dryRun: true)).steps,
                none: "The schema is valid; development has it already.",
                remark: "The schema is valid." + content.remark)
        }

        private func compare(
            _ content: SchemaFile.Content, _ place: EnvironmentAddress, _ operations: any Operations
        ) async throws -> Report {
            let current = try SchemaParser.parse(try await operations.run(SchemaOperations.export, place).text)
            let target = BuiltInTypes.completing(content.schema, from: current)
            let losses = current.losses(in: target)
            guard losses.isEmpty else {
                throw Complaint("this schema cannot be deployed: " + losses.joined(separator: "; "))
            }
            return .difference(
                current.changes(to: target).map { SchemaStep($0) },
                none: "The schema is valid; production has it already.",
                remark: "The schema is valid. Production gets it by an import into development and a deployment."
                    + content.remark)
        }
    }

    struct Diff: ManagementCommand, InputCommand {
        static let configuration = CommandConfiguration(
            commandName: "diff",
            abstract: "Show what deploying would change in production, or what importing a file would in development.")
        static let arguments = InputArgument.container
        @OptionGroup var input: InputOptions<Self>
        @Option(help: "A schema's text to compare development with; - reads standard input.") var file: String?
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            let place = try input.place(file == nil ? .production : .development)
            guard let file else {
                return .difference(
                    try await operations.run(SchemaOperations.deploy, SchemaPlan(place, dryRun: true)).steps,
                    none: "Production has the schema of development.", remark: "From production to development.")
            }
            let text = try SchemaFile(path: file).content().text
            return .difference(
                try await operations.importSchema(text, SchemaPlan(place, dryRun: true)).steps,
                none: "Development has this schema.", remark: "From development to \(file).")
        }
    }

    struct Deploy: ManagementCommand, InputCommand {
        static let configuration = CommandConfiguration(
            commandName: "deploy",
            abstract: "Give production the schema of development.",
            discussion: "Nothing that production has goes: a schema that lacks it is refused, with all that is missing."
        )
        static let arguments = InputArgument.container
        @OptionGroup var input: InputOptions<Self>
        @Flag(help: "Show what would change, and change nothing.") var dryRun = false
        @Flag(help: "Do not ask at a terminal.") var yes = false
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            let place = try input.place(.production)
            let none = "Production has the schema of development already."
            var tag: String?
            if dryRun || (!yes && Terminal.isInteractive) {
                let planned = try await operations.run(SchemaOperations.deploy, SchemaPlan(place, dryRun: true))
                if dryRun { return .difference(planned.steps, none: none, remark: "Nothing was changed.") }
                try Consent.askToDeploy(planned.steps, in: place.container)
                tag = planned.tag
            }
            return .difference(
                try await operations.run(SchemaOperations.deploy, SchemaPlan(place, ifTag: tag)).steps, none: none,
                remark: "Deployed to production.")
        }
    }

    struct Reset: ManagementCommand, InputCommand {
        static let configuration = CommandConfiguration(
            commandName: "reset",
            abstract: "Begin development anew: with the schema of production, and without any data.")
        static let arguments = InputArgument.container
        @OptionGroup var input: InputOptions<Self>
        @Flag(help: "Show how the schema would change, and change nothing.") var dryRun = false
        @Flag(help: "Do not ask.") var yes = false
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            let place = try input.place(.development)
            let none = "Development has the schema of production."
            var tag: String?
            if dryRun || !yes {
                let planned = try await operations.run(SchemaOperations.reset, SchemaPlan(place, dryRun: true))
                if dryRun { return .difference(planned.steps, none: none, remark: "Nothing was changed.") }
                try Consent.askToReset(place.container)
                tag = planned.tag
            }
            return .difference(
                try await operations.run(SchemaOperations.reset, SchemaPlan(place, ifTag: tag)).steps, none: none,
                remark: "Development is empty.")
        }
    }

    struct Status: ManagementCommand, InputCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Show how far indexes are built, and what is still being taken away.")
        static let arguments = InputArgument.place
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            .list(
                try await operations.run(SchemaOperations.builds, input.draft).builds,
                empty: "All indexes are complete.",
                columns: ["RECORD TYPE", "FIELDS", "RECORDS"],
                row: { [$0.recordType, $0.fields.joined(separator: " "), Self.records($0)] })
        }

        private static func records(_ progress: IndexBuildInfo) -> String {
            switch progress.state {
            case .waiting: "waits"
            case .building: "\(progress.done) of \(progress.total)"
            case .removing: "\(progress.total) to be removed"
            }
        }
    }
}

extension InputArgument<EnvironmentAddress> {
    fileprivate static let container: [InputArgument] = [.argument(\.container)]
    fileprivate static let place = container + [.option(\.environment, or: .development)]
}

extension InputOptions where Command.Input == EnvironmentAddress {
    /// An environment of the container.
    fileprivate func place(_ environment: ContainerEnvironment) throws -> EnvironmentAddress {
        EnvironmentAddress(container: try self[\.container], environment: environment)
    }
}

extension Operations {
    /// Plans or makes the import of a schema's text.
    fileprivate func importSchema(_ text: String, _ plan: SchemaPlan) async throws -> SchemaOutcome {
        try await run(SchemaOperations.importText, SchemaImport(text, plan))
    }
}
