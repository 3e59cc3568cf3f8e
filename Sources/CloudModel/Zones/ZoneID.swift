/// A zone by name and owner (reference A §2.1).
package struct ZoneID: Sendable {
    package static let defaultName = "_defaultZone"
    /// The owner of the public database's zone in notifications (reference B §5.0).
    package static let publicOwner = "_defaultOwner"

    package let name: String
    /// User record name of the owner.
    package let owner: String

    package init(name: String, owner: String) {
        self.name = name
        self.owner = owner
    }

    /// True for custom zones, which alone support atomic batches, change feeds and sharing (reference A §13.1).
    package var isCustom: Bool { name != Self.defaultName }

    package func write(to writer: inout JSONWriter) {
        writer.member(#"{"zoneName":"#, text: name)
        writer.member(#""ownerRecordName":"#, text: owner)
        writer.plain(isCustom ? #","zoneType":"REGULAR_CUSTOM_ZONE"}"# : #","zoneType":"DEFAULT_ZONE"}"#)
    }
}

extension ZoneID: Hashable {
    // Swift equates composed and decomposed characters such as é; the store compares bytes.
    package static func == (left: ZoneID, right: ZoneID) -> Bool {
        left.name.isExactly(right.name) && left.owner.isExactly(right.owner)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ExactName(name))
        hasher.combine(ExactName(owner))
    }
}

/// A zone's name in a request; the owner is optional (reference A §2.1, clients 8).
package struct ZoneName: Hashable, Sendable {
    package let name: String
    /// Nil stands for the caller, or for the database's only owner.
    package let owner: String?

    package static let `default` = ZoneName(name: ZoneID.defaultName, owner: nil)

    package init(name: String, owner: String?) {
        self.name = name
        self.owner = owner
    }

    /// Reads `{zoneName, ownerRecordName | ownerName}`; anything else in it is ignored.
    package init(_ json: JSONValue, key: String = "zoneID") throws(ServerError) {
        guard case .object(let object) = json else {
            throw .badRequest("\(known: key) must be an object with a zoneName, not \(known: json.kind)")
        }
        guard let name = object["zoneName"]?.string else {
            throw .badRequest("\(known: key) must have a zoneName that is a string")
        }
        var owner: String?
        if let given = object["ownerRecordName"] ?? object["ownerName"] {
            guard let text = given.string else { throw .badRequest("\(known: key).ownerRecordName must be a string") }
            if text != "__defaultOwner__" && text != "" { owner = text }
        }
        self.init(name: name, owner: owner)
    }

    package static func == (left: ZoneName, right: ZoneName) -> Bool {
        left.name.isExactly(right.name) && left.owner.map(ExactName.init) == right.owner.map(ExactName.init)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ExactName(name))
        hasher.combine(owner.map(ExactName.init))
    }

    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("zoneName", name)
            $0.member("ownerRecordName", owner)
        }
    }
}

extension ZoneID {
    /// False if the zone's name or owner contains U+0000, so that the store cannot contain the zone.
    package var isStorable: Bool { !name.hasNullCharacter && !owner.hasNullCharacter }
}
