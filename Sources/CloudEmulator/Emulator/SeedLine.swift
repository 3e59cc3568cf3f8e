package import CloudModel

/// A line of a seed: a person, a zone or a record.
package enum SeedLine: Sendable {
    case person(email: String, names: PersonNames)
    case zone(String, of: String)
    case record(RecordOperation, place: Place)

    /// The zone of a record: in the public database or in a user's private database.
    package struct Place: Hashable, Sendable {
        package let zone: String
        /// The email address of the private database's owner; nil for the public database.
        package let owner: String?
        /// The email address of the author of a public record; nil for an operator.
        let author: String?
    }

    /// - Throws: `BAD_REQUEST` naming the member at fault.
    package init(_ object: JSONObject, limits: Limits) throws {
        let kinds = ["person", "zone", "record"].filter { object[$0] != nil }
        switch object["record"] == nil ? kinds.first : "record" {
        case "person":
            try EmulatorMember.refuseOthers(than: ["person", "givenName", "familyName"], in: object)
            self = .person(
                email: try EmulatorMember.requiredText("person", of: object),
                names: PersonNames(
                    given: try EmulatorMember.text("givenName", of: object),
                    family: try EmulatorMember.text("familyName", of: object)))
        case "zone":
            try EmulatorMember.refuseOthers(than: ["zone", "of"], in: object)
            self = .zone(
                try EmulatorMember.requiredText("zone", of: object),
                of: try EmulatorMember.requiredText("of", of: object))
        case "record":
            try EmulatorMember.refuseOthers(than: ["record", "zone", "of", "by"], in: object)
            self = .record(try Self.operation(object["record"], limits), place: try Place(object))
        default:
            throw ServerError.badRequest(
                #"must have one of person, zone and record, such as {"zone": "Notes", "of": "mei@example.com"}"#)
        }
    }

    /// Force-replaces the record, so that a seed can be planted repeatedly.
    private static func operation(_ json: JSONValue?, _ limits: Limits) throws -> RecordOperation {
        guard let record = json?.object else { throw ServerError.badRequest("record: must be an object") }
        for name in ["recordName", "recordType"] where record[name]?.string == nil {
            throw ServerError.badRequest("record: \(known: name) must be a string")
        }
        let operation = JSONObject([
            .init(key: "operationType", value: .string("forceReplace")),
            .init(key: "record", value: .object(withWholeFields(record))),
        ])
        switch try RecordOperation.parse(.object(operation), at: 0, defaults: Presentation(), limits: limits) {
        case .failure(let refused): throw refused.error
        case .success(let operation) where operation.share != nil:
            throw ServerError.badRequest(
                "record: a share cannot be seeded, because only an app can invite people; seed its root")
        case .success(let operation): return operation
        }
    }

    private static func withWholeFields(_ record: JSONObject) -> JSONObject {
        JSONObject(
            record.members.map { member in
                guard member.key == "fields", let fields = member.value.object else { return member }
                return .init(key: "fields", value: .object(WrittenFields.whole(fields)))
            })
    }
}

extension SeedLine.Place {
    fileprivate init(_ object: JSONObject) throws {
        owner = try EmulatorMember.text("of", of: object)
        author = try EmulatorMember.text("by", of: object)
        zone = try EmulatorMember.text("zone", of: object) ?? ZoneID.defaultName
        guard owner == nil || author == nil else {
            throw ServerError.badRequest(
                "by: is for public records; name the owner of a private one with 'of'")
        }
    }
}
