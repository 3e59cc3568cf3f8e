import CloudHTTP
import CloudModel

/// A record selected in a table, with the tag shown there.
struct PickedRecord {
    let name: String
    let tag: String

    init(name: String, tag: String) {
        self.name = name
        self.tag = tag
    }

    /// The form value: tag, space, name. Tags contain no spaces.
    var text: String { "\(tag) \(name)" }

    init(_ text: String) throws(ServerError) {
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty else {
            throw .badRequest("a chosen record lacks its change tag; reload the page and choose again")
        }
        self.init(name: String(parts[1]), tag: String(parts[0]))
    }

    /// The records selected in a form.
    ///
    /// - Throws: `BAD_REQUEST` for no records, or for more than the limit per request.
    static func all(_ form: FormFields, _ limits: Limits) throws(ServerError) -> [PickedRecord] {
        let texts = form.all("pick")
        guard !texts.isEmpty else { throw .badRequest("no record was chosen") }
        guard texts.count <= limits.operationsPerRequest else {
            throw .badRequest(
                "\(texts.count) records were chosen, at most \(limits.operationsPerRequest) are allowed "
                    + "(limit.operationsPerRequest)",
                .limit(limits.operationsPerRequest, "limit.operationsPerRequest"))
        }
        var picked: [PickedRecord] = []
        for text in texts { picked.append(try PickedRecord(text)) }
        return picked
    }

    /// The operation on the record in the wire format.
    ///
    /// - Parameter members: further record members besides name and tag.
    func operation(_ type: String, _ members: [JSONObject.Member] = []) -> JSONValue {
        let record: [JSONObject.Member] =
            [.init(key: "recordName", value: .string(name)), .init(key: "recordChangeTag", value: .string(tag))]
            + members
        return .object(
            JSONObject([
                .init(key: "operationType", value: .string(type)),
                .init(key: "record", value: .object(JSONObject(record))),
            ]))
    }
}
