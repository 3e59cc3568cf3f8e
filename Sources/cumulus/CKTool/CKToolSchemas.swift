import ArgumentParser
import CloudModel

/// `export-schema`.
struct CKToolExportSchema: AsyncParsableCommand {
    static let configuration = CKTool.configuration("export-schema", "Write the schema to a file.")
    @OptionGroup var container: CKToolContainer
    @Option(help: "Where to write it; standard output without.") var outputFile: String?
    @OptionGroup var access: AccessOptions

    func run() async throws {
        var command = try SchemaCommand.Export.parse([
            container.containerId, "--environment", container.environmentOrDefault.rawValue, "--file",
            outputFile ?? "-",
        ])
        command.access = access
        try await command.run()
    }
}

/// `import-schema`.
struct CKToolImportSchema: AsyncParsableCommand {
    static let configuration = CKTool.configuration("import-schema", "Make development's schema what a file says.")
    @OptionGroup var container: CKToolContainer
    @Option(help: "The schema's text.") var file: String
    @Flag(help: "Check the file first, as is always done here.") var validate = false
    @OptionGroup var access: AccessOptions

    func run() async throws {
        guard container.environmentOrDefault == .development else {
            throw Complaint(
                "a schema is imported into development, and nothing was changed; 'cumulus schema deploy' gives production "
                    + "development's schema")
        }
        // Scripts are not asked for consent.
        var command = try SchemaCommand.Import.parse([container.containerId, "--file", file, "--yes"])
        command.access = access
        try await command.run()
    }
}

/// `validate-schema`.
struct CKToolValidateSchema: AsyncParsableCommand {
    static let configuration = CKTool.configuration("validate-schema", "Tell whether a file fits an environment.")
    @OptionGroup var container: CKToolContainer
    @Option(help: "The schema's text.") var file: String
    @OptionGroup var access: AccessOptions

    func run() async throws {
        var command = try SchemaCommand.Validate.parse([
            container.containerId, "--environment", container.environmentOrDefault.rawValue, "--file", file,
        ])
        command.access = access
        try await command.run()
    }
}

/// `reset-schema`.
struct CKToolResetSchema: AsyncParsableCommand {
    static let configuration = CKTool.configuration(
        "reset-schema", "Give development the schema of production, and no data.")
    @OptionGroup var container: CKToolContainer
    @OptionGroup var access: AccessOptions

    func run() async throws {
        guard container.environmentOrDefault == .development else {
            throw Complaint("it is development that is reset, to the schema of production; nothing was changed")
        }
        var command = try SchemaCommand.Reset.parse([container.containerId, "--yes"])
        command.access = access
        try await command.run()
    }
}
