import CumulusKit

/// What a device is told (reference B §7.5).
struct Message {
    private static let databases = ["", "private", "public", "shared"]
    private static let reasons = ["", "created", "updated", "deleted"]

    let json: JSON
    let arrived: ContinuousClock.Instant

    /// What it tells, in words: `family-changes: created family-1`.
    var summary: String {
        if let query = json["ck"]?["qry"] {
            return "\(Self.name(of: query)): \(Self.word(query["fo"], of: Self.reasons)) \(query["rid"]?.string ?? "")"
        }
        if let zone = json["ck"]?["fet"] {
            return "\(Self.name(of: zone)): something in the zone \(zone["zid"]?.string ?? "")"
        }
        if let database = json["ck"]?["met"] {
            return
                "\(Self.name(of: database)): something in the \(Self.word(database["dbs"], of: Self.databases)) database"
        }
        return "key-value store: \(json["ck"]?["kvs"]?["reason"]?.string ?? "nothing")"
    }

    /// Fields of the record that the subscription asked to be told, by name.
    var additionalFields: JSON? { json["ck"]?["qry"]?["af"] }

    /// True if the message has no alert and no sound.
    var isSilent: Bool { json["aps"] == ["content-available": 1] }

    private static func name(of change: JSON) -> String { change["sid"]?.string ?? "" }

    private static func word(_ number: JSON?, of words: [String]) -> String {
        let index = Int(number?.number ?? 0)
        return words.indices.contains(index) ? words[index] : ""
    }
}
