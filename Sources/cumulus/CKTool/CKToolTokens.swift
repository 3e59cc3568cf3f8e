import ArgumentParser

/// `save-token`, which saves no token.
struct CKToolSaveToken: ParsableCommand {
    static let configuration = CKTool.configuration("save-token", "Refused: no tokens are saved.")
    @Argument(help: "Ignored.") var token: String?
    @Option(help: "Ignored.") var type: String?
    @Option(help: "Ignored.") var method: String?
    @Flag(help: "Ignored.") var force = false

    func run() throws {
        throw Complaint(
            "no tokens are saved, and on the machine of the data folder none is needed. For a server elsewhere "
                + "'cumulus management-token create' makes one: put it into \(ManagementTokenSource.variable), or into a "
                + "file for --management-token-file, beside --server")
    }
}

/// `remove-token`, which has no effect.
struct CKToolRemoveToken: ParsableCommand {
    static let configuration = CKTool.configuration("remove-token", "Do nothing: no tokens are saved.")
    @Option(help: "Ignored.") var type: String?
    @Option(help: "Ignored.") var method: String?
    @Flag(help: "Ignored.") var force = false

    func run() {
        print("No tokens are saved, so there is none to remove; 'cumulus management-token revoke' ends one.")
    }
}

/// `get-teams`; Cumulus has no teams.
struct CKToolGetTeams: ParsableCommand {
    static let configuration = CKTool.configuration("get-teams", "Refused: a server has no teams.")
    @OptionGroup var account: CKToolAccount

    func run() throws {
        throw Complaint(
            "a server has no teams, and --team-id is ignored; 'cumulus container list' lists the containers")
    }
}
