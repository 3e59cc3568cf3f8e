import ArgumentParser
import CloudModel
import CloudOperations

/// The options for a ``RecordsPlace``.
struct RecordsOptions: ParsableArguments {
    @Argument(help: "The container.") var container: String
    @Option(help: "The environment: development or production.") var environment = ContainerEnvironment.development
    @Option(
        help: ArgumentHelp(
            "The database: public, private or shared. (default: private with --user or --as, else public)"))
    var database: DatabaseScope?
    @Option(help: "Whose private records an operator works on: an email address or user record name.")
    var user: String?
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("Work as this person's app would, on a development server.", valueName: "email"))
    var person: String?
    @Option(help: "The zone; the default zone without.") var zone: String?
    @Option(help: "The user record name of the zone's owner, for a shared one.") var owner: String?

    var place: RecordsPlace {
        RecordsPlace(
            container: container, environment: environment, database: database, user: user, person: person, zone: zone,
            owner: owner)
    }

    func validate() throws { try place.validate() }

    func operatorArguments(_ more: Arguments) throws -> Arguments { try place.operatorArguments(more) }
}
