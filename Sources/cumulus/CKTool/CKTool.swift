import ArgumentParser
import CloudModel

/// The commands of Apple's `cktool`, for existing scripts: `cumulus query-records --container-id …`. Options and output match
/// `cktool`; unsupported options are refused.
enum CKTool {
    static let commands: [any ParsableCommand.Type] = [
        CKToolExportSchema.self, CKToolImportSchema.self, CKToolValidateSchema.self, CKToolResetSchema.self,
        CKToolQueryRecords.self, CKToolCreateRecord.self, CKToolDeleteRecord.self, CKToolDeleteRecords.self,
        CKToolSaveToken.self, CKToolRemoveToken.self, CKToolGetTeams.self,
    ]

    static func configuration(_ name: String, _ abstract: String, _ discussion: String = "") -> CommandConfiguration {
        CommandConfiguration(
            commandName: name, abstract: abstract + " As cktool does.", discussion: discussion, shouldDisplay: false)
    }
}

/// Options of `cktool` without meaning for Cumulus.
struct CKToolAccount: ParsableArguments {
    @Option(help: "Ignored: a server has no teams.") var teamId: String?
    @Option(
        name: [.short, .long],
        help: "Ignored: with --server the token is in \(ManagementTokenSource.variable), or in --management-token-file."
    )
    var token: String?
}

/// An environment name; case is ignored, as in `cktool`.
struct CKToolEnvironment: ExpressibleByArgument {
    let value: ContainerEnvironment

    init?(argument: String) {
        guard let value = ContainerEnvironment(rawValue: argument.lowercased()) else { return nil }
        self.value = value
    }

    static var allValueStrings: [String] { ContainerEnvironment.allCases.map(\.rawValue) }
}

/// The container and environment of a command.
struct CKToolContainer: ParsableArguments {
    @OptionGroup var account: CKToolAccount
    @Option(help: "The container.") var containerId: String
    @Option(help: "The environment: development or production. (default: development)")
    var environment: CKToolEnvironment?

    var environmentOrDefault: ContainerEnvironment { environment?.value ?? .development }
}

/// The database and zone of records.
struct CKToolDatabase: ParsableArguments {
    @OptionGroup var container: CKToolContainer
    @Option(help: "The database: public, private or shared.") var databaseType: DatabaseScope?
    @Option(help: "The zone; the default zone without.") var zoneName: String?
    @Option(help: "Not of cktool: the person whose private records an operator works on.") var user: String?
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "Not of cktool: work as this person's app would, on a development server.", valueName: "email"))
    var person: String?
    @Option(help: "Not of cktool: the owner of a shared zone.") var owner: String?

    var place: RecordsPlace {
        RecordsPlace(
            container: container.containerId, environment: container.environmentOrDefault, database: databaseType,
            user: user, person: person, zone: zoneName, owner: owner)
    }

    func validate() throws { try place.validate() }
}
