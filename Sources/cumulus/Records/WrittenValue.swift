import CloudModel
import Foundation

/// A hand-written value, in a filter or with a `cktool` type name.
struct WrittenValue {
    let value: JSONValue
    /// The value's type; nil for the field's own type.
    let type: String?
    /// A distance from the location, in metres.
    private(set) var distance: JSONValue?

    /// `2021-01-31` is a time, `40.7,-74` a location, with a third number a distance, `stringType:5` a text; other input is
    /// JSON if valid, otherwise a text.
    init(_ text: String) throws {
        if let match = text.wholeMatch(of: /([a-zA-Z0-9]+Type):(.*)/), let type = Self.types[String(match.1)] {
            value = try Self.value(Self.json(String(match.2)), type, text: String(match.2))
            self.type = type
        } else if let time = Self.time(text) {
            (value, type) = (time, "TIMESTAMP")
        } else if let (location, distance) = Self.location(text) {
            (value, type, self.distance) = (location, "LOCATION", distance)
        } else {
            (value, type) = (Self.json(text), nil)
        }
    }

    /// Converts fields with `cktool` type names and textual times to wire form.
    static func fields(_ text: String) throws -> JSONObject {
        guard let object = try JSONValue(typed: text).object else { throw Complaint("fields must be a JSON object") }
        return try fields(object)
    }

    static func fields(_ object: JSONObject) throws -> JSONObject {
        JSONObject(
            try WrittenFields.whole(object).members.map { field in
                guard let written = field.value.object, let type = written["type"]?.string, let wire = types[type]
                else {
                    return field
                }
                let value = try value(written["value"] ?? .null, wire, text: written["value"]?.string)
                return .init(key: field.key, value: .members(["value": value, "type": .string(wire)]))
            })
    }

    private static let types = [
        "stringType": "STRING", "int64Type": "INT64", "doubleType": "DOUBLE", "timestampType": "TIMESTAMP",
        "bytesType": "BYTES", "referenceType": "REFERENCE", "locationType": "LOCATION",
        "stringListType": "STRING_LIST", "int64ListType": "INT64_LIST", "doubleListType": "DOUBLE_LIST",
        "timestampListType": "TIMESTAMP_LIST", "bytesListType": "BYTES_LIST", "referenceListType": "REFERENCE_LIST",
        "locationListType": "LOCATION_LIST",
    ]

    private static func value(_ value: JSONValue, _ type: String, text: String?) throws -> JSONValue {
        switch type {
        case "STRING": return .string(text ?? value.text)
        case "TIMESTAMP" where value.integer == nil:
            guard let time = text.flatMap(time) else {
                throw Complaint("'\(text ?? value.text)' is not a time such as 2021-01-31 or 2021-01-31T09:00:00Z")
            }
            return time
        case "LOCATION" where value.object == nil: return text.flatMap { location($0)?.0 } ?? value
        default: return value
        }
    }

    private static func json(_ text: String) -> JSONValue {
        (try? JSONParser.parse(Array(text.utf8))) ?? .string(text)
    }

    private static func time(_ text: String) -> JSONValue? {
        guard text.contains(/^\d{4}-\d\d-\d\d/) else { return nil }
        let iso = Date.ISO8601FormatStyle(timeZone: .gmt)
        let date =
            (try? Date(text, strategy: .iso8601)) ?? (try? iso.year().month().day().parse(text))
            ?? (try? Date("\(text.replacing(" ", with: "T")):00Z", strategy: .iso8601))
        return date.map { .integer(Timestamp($0).milliseconds) }
    }

    private static func location(_ text: String) -> (JSONValue, distance: JSONValue?)? {
        let numbers = text.split(separator: ",").map { Double($0.trimmingCharacters(in: .whitespaces)) }
        guard (2...3).contains(numbers.count), let latitude = numbers[0], let longitude = numbers[1] else { return nil }
        let location = JSONValue.members(["latitude": .number(latitude), "longitude": .number(longitude)])
        return (location, numbers.count == 3 ? numbers[2].map(JSONValue.number) : nil)
    }
}
