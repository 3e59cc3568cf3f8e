extension Presentation {
    /// Reduces a stored record to the desired fields, with numbers in the requested form.
    ///
    /// - Throws: ``JSONParser/Failure`` if the stored form is not JSON, a sign of a damaged database.
    package func apply(to body: RecordBody) throws(JSONParser.Failure) -> RecordBody {
        if isVerbatim { return body }
        guard case .object(let record) = try JSONParser.parse(body.bytes) else { return body }
        let members = record.members.map { member in
            guard member.key == "fields", case .object(let fields) = member.value else { return member }
            let shown = fields.members.filter { desiredKeys?.contains($0.key) ?? true }
            return JSONObject.Member(
                key: member.key,
                value: .object(JSONObject(numbersAsStrings ? shown.map(Self.withNumbersAsStrings) : shown)))
        }
        var writer = JSONWriter(capacity: body.bytes.count)
        writer.value(.object(JSONObject(members)))
        return RecordBody(writer.bytes)
    }

    private static let numericTypes: Set<String> = [
        "INT64", "DOUBLE", "TIMESTAMP", "INT64_LIST", "DOUBLE_LIST", "TIMESTAMP_LIST",
    ]

    private static func withNumbersAsStrings(_ field: JSONObject.Member) -> JSONObject.Member {
        guard case .object(var wrapper) = field.value, let type = wrapper["type"]?.string, numericTypes.contains(type)
        else { return field }
        if let value = wrapper["value"] { wrapper.set("value", asString(value)) }
        return JSONObject.Member(key: field.key, value: .object(wrapper))
    }

    private static func asString(_ value: JSONValue) -> JSONValue {
        switch value {
        case .integer(let integer): .string(String(integer))
        case .number(let number): .string(number.description)
        case .array(let elements): .array(elements.map(asString))
        default: value
        }
    }
}
