import CloudModel
import CloudOperations

/// The place in the data that an address of the console names, and what is asked of it.
struct DataSpot: Sendable {
    let place: ConsolePlace
    /// The user whose private database is shown; nil for the public one.
    let user: String?
    let zone: String
    let type: String?
    let query: QueryForm
    let after: String?

    init(place: ConsolePlace, query fields: FormFields) {
        self.place = place
        user = fields.filled("user")
        zone = fields.filled("zone") ?? ZoneID.defaultName
        type = fields.filled("type")
        query = QueryForm(fields)
        after = fields.filled("after")
    }

    var arguments: Arguments { place.arguments(["user": user, "zone": zone]) }

    var description: String { user.map { "private database of \($0), zone \(zone)" } ?? "public database" }

    /// An address of the console about this place.
    ///
    /// - Parameter query: of the records that are shown; nil for all.
    func address(
        _ path: String = "/console/data", type: String? = nil, query: QueryForm? = nil, after: String? = nil,
        _ more: [(String, String?)] = []
    ) -> String {
        let place: [(String, String?)] = [
            ("container", place.container), ("environment", place.environment.rawValue), ("user", user),
            ("zone", zone), ("type", type),
        ]
        return ConsoleAddress.make(path, place + (query?.parameters ?? []) + [("after", after)] + more)
    }

    func record(_ name: String) -> String { address("/console/record", [("name", name)]) }

    /// The place, as the hidden fields of a form carry it.
    var hidden: [PageContent] {
        [
            ("container", place.container), ("environment", place.environment.rawValue), ("user", user ?? ""),
            ("zone", zone),
        ].map(PageContent.field)
    }
}

extension FormFields {
    /// The first value of that name that is not empty.
    func filled(_ name: String) -> String? { self[name].flatMap { $0.isEmpty ? nil : $0 } }
}
