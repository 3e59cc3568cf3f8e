/// One entry of an answer's `records`: a record, a deletion or what went wrong with it (reference A §2.3, §9.1).
struct CloudRecord: Hashable {
    let json: JSON

    var name: String { json["recordName"]?.string ?? "" }
    var tag: String { json["recordChangeTag"]?.string ?? "" }
    var isDeleted: Bool { json["deleted"]?.bool ?? false }
    var errorCode: String? { json["serverErrorCode"]?.string }
    /// Milliseconds since 1970.
    var modified: Double { json["modified"]?["timestamp"]?.number ?? 0 }

    /// The value of a field, without its wrapper.
    subscript(field: String) -> JSON? { json["fields"]?[field]?["value"] }

    func string(_ field: String) -> String? { self[field]?.string }

    func number(_ field: String) -> Double? { self[field]?.number }
}
