import ArgumentParser
import CloudModel
import CloudOperations

/// The database and zone of records, and who looks at them.
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

    func validate() throws {
        guard person != nil else {
            if database == .shared || owner != nil {
                throw ValidationError("--database shared and --owner need --as")
            }
            if database == .private, user == nil { throw ValidationError("--database private needs --user or --as") }
            if database == .public, user != nil { throw ValidationError("--user needs --database private") }
            return
        }
        if user != nil { throw ValidationError("name either --user or --as, not both") }
        if environment == .production { throw ValidationError("--as works in development only") }
    }

    func operatorArguments(_ more: Arguments) throws -> Arguments {
        guard person == nil else {
            throw Complaint("--as works with query, get, create, update, delete, import and modify")
        }
        var arguments = more
        arguments["container"] = .string(container)
        arguments["environment"] = .string(environment.rawValue)
        if let user { arguments["user"] = .string(user) }
        if let zone { arguments["zone"] = .string(zone) }
        return arguments
    }

    /// The records, in the way that the options say.
    func records(_ access: AccessOptions) async throws -> any RecordAccess {
        guard let person else { return OperatorRecords(operations: try access.operations(), place: self) }
        return try await PersonRecords(of: person, at: try access.developmentOrigin(), place: self)
    }
}

extension DatabaseScope: ExpressibleByArgument {}
