import CloudModel
import Foundation

/// Parses the texts of a form into field values.
struct FieldParsing {
    let field: String
    let type: FieldType
    let spot: DataSpot
    let limits: Limits

    /// - Throws: `BAD_REQUEST` that names the field and any exceeded limit.
    func value(_ texts: FieldTexts) throws(ServerError) -> JSONValue {
        if texts.isRemoved { return .null }
        if type.isList { return try list(texts.text) }
        switch type.kind {
        case .string, .int64, .double, .timestamp, .number:
            return try WireText.value(texts.text, type, field: field)
        case .bytes: return try bytes(texts.text)
        case .location: return try location(texts)
        case .reference: return try reference(texts)
        case .asset:
            guard let receipt = try? JSONParser.parse(Array(texts.text.utf8)), receipt.object != nil else {
                throw .badRequest("\(field) must be the receipt of an upload")
            }
            return receipt
        }
    }

    private func list(_ text: String) throws(ServerError) -> JSONValue {
        guard text.first(where: { !$0.isWhitespace }) != "[" else { return .array(try array(text)) }
        guard type.hasLines || text.allSatisfy(\.isWhitespace) else {
            throw .badRequest("\(field) must be a JSON array")
        }
        var values: [JSONValue] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        where !line.isEmpty {
            let value = try WireText.value(
                String(line), FieldType(type.kind), field: "\(field), line \(index + 1),")
            if value != .null { values.append(value) }
        }
        return .array(values)
    }

    private func array(_ text: String) throws(ServerError) -> [JSONValue] {
        guard let array = try? JSONParser.parse(Array(text.utf8)).array else {
            throw .badRequest("\(field) begins with [ and is no JSON array")
        }
        return array
    }

    private func bytes(_ text: String) throws(ServerError) -> JSONValue {
        let text = text.filter { !$0.isWhitespace }
        if text.isEmpty { return .null }
        guard let canonical = Base64.canonical(text) else {
            throw .badRequest(
                "\(field) must be base64; a record has at most \(limits.recordBytes) bytes (limit.recordBytes)",
                .schema(.type(field: field)))
        }
        return .string(canonical)
    }

    private func location(_ texts: FieldTexts) throws(ServerError) -> JSONValue {
        let text = texts.text.trimmingCharacters(in: .whitespacesAndNewlines)
        if text.isEmpty { return .null }
        let pair = text.split(separator: ",").map { Double($0.trimmingCharacters(in: .whitespaces)) }
        guard pair.count == 2, let latitude = pair[0], let longitude = pair[1], abs(latitude) <= 90,
            abs(longitude) <= 180
        else {
            throw .badRequest(
                "\(field) must be degrees of latitude (-90 to 90) and longitude (-180 to 180), such as 47.45, -122.31")
        }
        let others = texts.details.isEmpty ? JSONObject() : try? JSONParser.parse(Array(texts.details.utf8)).object
        guard let others else { throw .badRequest("\(field) has other members that are no JSON object") }
        let coordinates: [JSONObject.Member] = [
            .init(key: "latitude", value: .number(latitude)), .init(key: "longitude", value: .number(longitude)),
        ]
        return .object(
            JSONObject(coordinates + others.members.filter { !["latitude", "longitude"].contains($0.key) }))
    }

    private func reference(_ texts: FieldTexts) throws(ServerError) -> JSONValue {
        if texts.whole.isEmpty { return .null }
        guard !texts.text.isEmpty else { throw .badRequest("\(field) must name a record in its zone") }
        guard RecordReference.Action(rawValue: texts.action) != nil else {
            throw .badRequest("\(field) must have the action NONE, DELETE_SELF or VALIDATE")
        }
        var members: [JSONObject.Member] = [
            .init(key: "recordName", value: .string(texts.text)), .init(key: "action", value: .string(texts.action)),
        ]
        if !texts.zone.isEmpty || !texts.owner.isEmpty {
            var zone: [JSONObject.Member] = [
                .init(key: "zoneName", value: .string(texts.zone.isEmpty ? spot.zone : texts.zone))
            ]
            if !texts.owner.isEmpty { zone.append(.init(key: "ownerRecordName", value: .string(texts.owner))) }
            members.append(.init(key: "zoneID", value: .object(JSONObject(zone))))
        }
        return .object(JSONObject(members))
    }
}
