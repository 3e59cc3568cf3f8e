import ArgumentParser
import CloudStore
import Configuration

/// The options of every command.
struct CommonOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Folder that everything is kept in. (default: ./data)", valueName: "dir"))
    var data: String?

    @Option(
        help: ArgumentHelp(
            "PostgreSQL database to keep it in; a password belongs into CUMULUS_DATABASE_URL.", valueName: "url"))
    var databaseUrl: String?

    @Option(help: ArgumentHelp("A JSON file of settings; CUMULUS_CONFIG names it as well.", valueName: "file"))
    var config: String?

    /// Reads the settings; the command's own options take precedence.
    func reader(with options: [String: ConfigContent] = [:]) throws -> SettingsReader {
        var options = options
        if let data { options["data"] = .string(data) }
        if let databaseUrl { options["database.url"] = .string(databaseUrl) }
        return try SettingsReader(commandLine: options, config: config)
    }
}
