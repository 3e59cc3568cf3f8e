/// The commands and options of Apple's `cktool`, for scripts that call it: `cumulus query-records --container-id …`.
enum CKToolArguments {
    private static let commands = [
        "export-schema": ["schema", "export"], "import-schema": ["schema", "import"],
        "validate-schema": ["schema", "validate"], "reset-schema": ["schema", "reset"],
        "query-records": ["records", "query"], "create-record": ["records", "create"],
        "delete-record": ["records", "delete"],
    ]

    private static let options = [
        "--output-file": "--file", "--zone-name": "--zone", "--record-type": "--type", "--database-type": "--database",
        "--fields-json": "--fields", "--filters": "--filter", "--sort-by": "--sort", "--requested-fields": "--field",
        "--continuation-token": "--after",
    ]
    /// Options of `cktool` that have no meaning here: those with a value, and those without.
    private static let (unused, unusedFlags) = (Set(["--team-id", "--token", "-t"]), Set(["--validate"]))

    /// The same in the words of `cumulus`; nil for what is none of these commands.
    static func translated(_ arguments: [String]) -> [String]? {
        guard let name = arguments.first, let command = commands[name] else { return nil }
        var positional: [String?] = [nil, nil]
        var rest: [String] = []
        var index = 1
        while index < arguments.count {
            let argument = arguments[index]
            let value = index + 1 < arguments.count ? arguments[index + 1] : nil
            index += 2
            switch argument {
            case "--container-id": positional[0] = value
            case "--record-name": positional[1] = value
            case _ where unused.contains(argument): break
            case "--fields-stdin":
                rest += ["--fields-file", "-"]
                index -= 1
            case "-y", "--yes":
                // Deleting a record is not asked about here.
                if command[0] == "schema" { rest.append("--yes") }
                index -= 1
            default:
                index -= 1
                if !unusedFlags.contains(argument) { rest.append(options[argument] ?? argument) }
            }
        }
        // Importing and resetting asks nobody there.
        if ["import-schema", "reset-schema"].contains(name), !rest.contains("--yes") { rest.append("--yes") }
        // There the option is required, and here the command is for one environment.
        if name.hasSuffix("-schema"), name != "export-schema", let at = rest.firstIndex(of: "--environment") {
            rest.removeSubrange(at..<min(at + 2, rest.count))
        }
        return command + positional.compactMap(\.self) + rest
    }
}
