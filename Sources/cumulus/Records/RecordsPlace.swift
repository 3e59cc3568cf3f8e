import ArgumentParser
import CloudModel
import CloudOperations

/// The database and zone of records, and the acting person.
struct RecordsPlace: Sendable {
    var container: String
    var environment = ContainerEnvironment.development
    /// Nil selects private with a user or a person, otherwise public.
    var database: DatabaseScope?
    /// The owner of the private records, for an operator's work.
    var user: String?
    /// The user for whose app the command acts.
    var person: String?
    var zone: String?
    var owner: String?

    /// - Throws: `ValidationError` for conflicting options.
    func validate() throws {
        guard person != nil else {
            if database == .shared || owner != nil {
                throw ValidationError("the shared database and --owner need --as")
            }
            if database == .private, user == nil {
                throw ValidationError("the private database needs --user or --as, which name the person")
            }
            if database == .public, user != nil { throw ValidationError("--user needs the private database") }
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

    /// Opens the records as the named user, or else as an operator.
    func records(_ access: AccessOptions) async throws -> any RecordAccess {
        guard let person else { return OperatorRecords(operations: try access.operations(), place: self) }
        return try await PersonRecords(of: person, at: try access.developmentOrigin(), place: self)
    }
}

extension DatabaseScope: ExpressibleByArgument {}
