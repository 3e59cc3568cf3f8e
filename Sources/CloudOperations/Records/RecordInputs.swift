package import CloudModel

/// A zone of the public database or of a user's private database.
package struct ZoneChoice: OperationInput {
    package let place: EnvironmentAddress
    package let user: String?
    package let zone: String?

    package static let fields = InputFields(
        Self.init, .group(\.place), .user(\.user), .text("zone", \.zone, "The zone; the default zone without."))

    var any: ZoneAddress { ZoneAddress(place: place, user: user, zone: zone, database: nil, owner: nil) }
}

/// A zone of any database.
package struct ZoneAddress: OperationInput {
    package let place: EnvironmentAddress
    package let user: String?
    package let zone: String?
    package let database: SharedDatabase?
    package let owner: String?

    package static let fields = InputFields(
        Self.init, .group(\.place), .user(\.user), .text("zone", \.zone, "The zone; the default zone without."),
        .shared(\.database),
        .text(
            "owner", \.owner, "The owner of a zone in the shared database: an email address or user record name."))

    /// Whether the address is in a user's shared database.
    var isShared: Bool { database != nil }
}

/// The database shared with a user.
package enum SharedDatabase: String, CaseIterable, Sendable {
    case shared
}

extension InputField where Value == SharedDatabase? {
    fileprivate static func shared(_ property: InputProperty<Input, Value>) -> Self {
        let name = "database"
        let parameter = Parameter(
            name: name, kind: .choice(SharedDatabase.allCases.map(\.rawValue)),
            about: "`shared` for the database shared with the user, as the user sees it.")
        return Self(parameter, property) { arguments in
            guard let text = try arguments.optionalText(name) else { return nil }
            guard let database = SharedDatabase(rawValue: text) else {
                throw ServerError.badRequest("database must be shared or left out, not '\(Naming.shown(text))'")
            }
            return database
        } json: {
            $0.map { .string($0.rawValue) }
        }
    }
}

extension InputField where Value == String? {
    fileprivate static func user(_ property: InputProperty<Input, Value>) -> Self {
        .text(
            "user", property,
            "The owner of a private database: an email address or user record name; the public database without. "
                + "The audit log notes the look.")
    }
}

/// A page of a database's zones.
package struct DatabasePage: OperationInput {
    package let place: EnvironmentAddress
    package let user: String?
    package let database: SharedDatabase?
    package let page: PageChoice

    package static let fields = InputFields(
        Self.init, .group(\.place), .user(\.user), .shared(\.database), .group(\.page))
}

/// A page of records, by the names of its arguments.
protocol ResultPage: Sendable {
    var marker: String? { get }
    var limit: Int64 { get }
}

/// A page of a type's records.
package struct RecordPageChoice: OperationInput {
    package struct Page: OperationInput, ResultPage {
        let marker: String?
        let limit: Int64

        package static let fields = InputFields(
            Self.init, .text("after", \.marker, "The `next` of the page before."),
            .number("limit", \.limit, in: 1...100_000, or: 100, "Records of the page; 100 without."))
    }

    package let zone: ZoneAddress
    package let type: String
    package let page: Page

    package static let fields = InputFields(
        Self.init, .group(\.zone), .text("type", \.type, "A record type."), .group(\.page))
}

/// A page of query results.
package struct RecordQueryChoice: OperationInput {
    package struct Page: OperationInput, ResultPage {
        let marker: String?
        let limit: Int64

        package static let fields = InputFields(
            Self.init, .text("continuationMarker", \.marker, "The `next` of the page before."),
            .number("resultsLimit", \.limit, in: 1...100_000, or: 100, "Records of the page; 100 without."))
    }

    package let zone: ZoneAddress
    package let query: JSONValue?
    package let page: Page

    package static let fields = InputFields(
        Self.init, .group(\.zone), .json("query", \.query, "The query, in the form of `records/query`."),
        .group(\.page))
}

package struct RecordChoice: OperationInput {
    package let zone: ZoneChoice
    package let recordName: String

    package static let fields = InputFields(
        Self.init, .group(\.zone), .text("recordName", \.recordName, "A record's name."))
}

/// Changes of records in a zone.
package struct RecordChanges: OperationInput {
    package let zone: ZoneChoice
    package let operations: [JSONValue]
    package let atomic: Bool

    package static let fields = InputFields(
        Self.init, .group(\.zone),
        .objects(
            "operations", \.operations, "The operations, in the form of `records/modify`; none on a share."),
        .flag("atomic", \.atomic, or: true, "Whether all or none are made, in custom zones; true without."))
}
