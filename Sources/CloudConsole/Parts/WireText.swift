import CloudWire
import CloudModel
import Foundation

/// Converts field values to and from readable text.
enum WireText {
    static func isNumber(_ type: FieldType) -> Bool {
        !type.isList && [.int64, .double, .number].contains(type.kind)
    }

    /// - Parameter field: the field in the wire format: `{"value": …, "type": …}`.
    static func cell(_ field: JSONValue?, _ type: FieldType) -> Sheet.Cell {
        let isName = type.kind == .reference || type.kind == .bytes
        return Sheet.Cell(
            text(field?.object?["value"], type), isName: isName && !type.isList, isNumber: isNumber(type))
    }

    static func text(_ value: JSONValue?, _ type: FieldType) -> String {
        guard let value else { return "" }
        if let list = value.array { return list.count == 1 ? "1 value" : "\(list.count) values" }
        if type.kind == .timestamp, let milliseconds = value.integer {
            return Timestamp(milliseconds: milliseconds).date.formatted(.iso8601.dateTimeSeparator(.space))
        }
        return scalar(value)
    }

    /// The longest text in a table cell; the record's page shows the full text.
    private static let longest = 120

    /// Six decimals, a resolution of about 0.1 m.
    private static func degrees(_ value: JSONValue) -> String {
        guard case .number(let number) = value else { return scalar(value) }
        return "\((number * 1_000_000).rounded() / 1_000_000)"
    }

    private static func scalar(_ value: JSONValue) -> String {
        switch value {
        case .string(let text):
            return text.count > longest ? text.prefix(longest) + "…" : text
        case .integer(let number): return "\(number)"
        case .number(let number): return "\(number)"
        case .bool(let flag): return flag ? "true" : "false"
        case .object(let object):
            if let name = object["recordName"]?.string { return name }
            if let size = object["size"]?.integer { return ByteCount.text(size) }
            if let latitude = object["latitude"], let longitude = object["longitude"] {
                return "\(degrees(latitude)), \(degrees(longitude))"
            }
            return json(value)
        case .null, .array: return ""
        }
    }

    /// JSON on a single line.
    static func json(_ value: JSONValue) -> String {
        var writer = JSONWriter()
        writer.value(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// A value's text in its editor; nil for a type without a text editor.
    static func edited(_ value: JSONValue?, _ type: FieldType) -> String? {
        guard !type.isList, !type.isEncrypted else { return nil }
        guard let value else { return type.kind.isOneLine ? "" : nil }
        switch type.kind {
        case .string: return value.string
        case .int64, .timestamp: return value.integer.map { "\($0)" }
        case .double, .number:
            if case .number(let number) = value { return "\(number)" }
            return value.integer.map { "\($0)" }
        case .bytes, .location, .reference, .asset: return nil
        }
    }

    /// Parses a text from an editor; an empty text is no value, except for strings.
    ///
    /// - Throws: `BAD_REQUEST` that names the field.
    static func value(_ text: String, _ type: FieldType, field: String) throws(ServerError) -> JSONValue {
        if type.kind == .string { return .string(text) }
        let text = text.trimmingCharacters(in: .whitespaces)
        if text.isEmpty { return .null }
        if let number = Int64(text) { return .integer(number) }
        if type.kind == .timestamp, let moment = moment(text) { return .integer(moment.milliseconds) }
        if [.double, .number].contains(type.kind), let number = Double(text), number.isFinite {
            return .number(number)
        }
        if type.kind == .timestamp {
            throw .badRequest("\(field) must be a time such as 2026-01-31T08:00:00Z, or milliseconds since 1970")
        }
        let kind = [.double, .number].contains(type.kind) ? "number" : "whole number"
        throw .badRequest("\(field) must be a \(known: kind)")
    }

    /// Parses an ISO 8601 time, or a date as the start of the day in UTC.
    private static func moment(_ text: String) -> Timestamp? {
        if let date = try? Date(text, strategy: .iso8601) { return Timestamp(date) }
        return (try? Date(text, strategy: .iso8601.year().month().day())).map(Timestamp.init)
    }
}

extension WireText {
    /// A record's field in the wire format.
    static func field(_ name: String, _ value: JSONValue, _ type: FieldType) -> JSONObject.Member {
        // Without a type tag, a number takes its field's type.
        let tag = type.kind == .number ? [] : [JSONObject.Member(key: "type", value: .string(type.name))]
        return .init(key: name, value: .object(JSONObject([.init(key: "value", value: value)] + tag)))
    }

    /// Indented JSON, one value per line.
    static func lines(_ value: JSONValue, depth: Int = 0) -> String {
        let (inner, outer) = (String(repeating: "  ", count: depth + 1), String(repeating: "  ", count: depth))
        switch value {
        case .object(let object) where !object.members.isEmpty:
            let members = object.members.map {
                "\(inner)\(json(.string($0.key))): \(lines($0.value, depth: depth + 1))"
            }
            return "{\n\(members.joined(separator: ",\n"))\n\(outer)}"
        case .array(let array) where !array.isEmpty:
            return "[\n\(array.map { inner + lines($0, depth: depth + 1) }.joined(separator: ",\n"))\n\(outer)]"
        default: return json(value)
        }
    }
}
