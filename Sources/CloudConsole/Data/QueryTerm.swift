import CloudModel
import Foundation

/// A condition of the query builder, as entered.
struct QueryTerm: Hashable, Sendable {
    /// The field's wire name.
    let field: String
    let comparator: String
    /// Several values are separated by commas or given as a JSON array; a location is `latitude, longitude within
    /// metres`.
    let value: String

    /// The filter in the wire format.
    ///
    /// - Parameter type: the field's type; nil for an unknown field.
    /// - Throws: `BAD_REQUEST` that names the field.
    func filter(_ type: FieldType?) throws(ServerError) -> JSONValue {
        guard let known = CloudModel.Comparator(rawValue: comparator) else {
            throw .badRequest("there is no comparator '\(Naming.shown(comparator))'")
        }
        var members = [
            JSONObject.Member(key: "fieldName", value: .string(field)),
            .init(key: "comparator", value: .string(known.rawValue)),
        ]
        if known == .near {
            let (value, distance) = try place()
            members.append(.init(key: "fieldValue", value: value))
            if let distance { members.append(.init(key: "distance", value: distance)) }
        } else {
            members.append(.init(key: "fieldValue", value: try operand(known, type)))
        }
        return .object(JSONObject(members))
    }

    private func operand(_ comparator: CloudModel.Comparator, _ type: FieldType?) throws(ServerError) -> JSONValue {
        let kind = comparator.isTextSearch ? FieldKind.string : type?.kind ?? .string
        let isPart = comparator.appliesToLists || comparator.isTextSearch
        let isMany = comparator.takesMany || type?.isList == true && !isPart
        let value = isMany ? JSONValue.array(try values(kind)) : try scalar(value, kind)
        var members = [JSONObject.Member(key: "value", value: value)]
        // Without a type tag, a number takes its field's type.
        if type != nil, kind != .number {
            members.append(.init(key: "type", value: .string(FieldType(kind, isList: isMany).name)))
        }
        return .object(JSONObject(members))
    }

    private func values(_ kind: FieldKind) throws(ServerError) -> [JSONValue] {
        var values: [JSONValue] = []
        for text in texts { values.append(try scalar(text, kind)) }
        return values
    }

    private var texts: [String] {
        if value.hasPrefix("["), let array = try? JSONParser.parse(Array(value.utf8)).array {
            return array.map { $0.string ?? WireText.json($0) }
        }
        return value.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private func scalar(_ text: String, _ kind: FieldKind) throws(ServerError) -> JSONValue {
        switch kind {
        case .string, .bytes, .asset: return .string(text)
        case .reference:
            return .object(JSONObject([.init(key: "recordName", value: .string(text))]))
        case .location: return try place().value.object?["value"] ?? .null
        case .int64, .double, .timestamp, .number:
            let number = try WireText.value(text, FieldType(kind), field: field)
            guard number != .null else { throw .badRequest("\(Naming.shown(field)) has no value to compare with") }
            return number
        }
    }

    /// The location of a `near` condition, and its largest distance in metres, if given.
    func place() throws(ServerError) -> (value: JSONValue, distance: JSONValue?) {
        let parts = value.split(separator: "within", maxSplits: 1).map(String.init)
        let pair = (parts.first ?? "").split(separator: ",").map { Double($0.trimmingCharacters(in: .whitespaces)) }
        let distance = parts.dropFirst().first.map { Double($0.trimmingCharacters(in: .whitespaces)) }
        guard pair.count == 2, let latitude = pair[0], let longitude = pair[1], latitude.isFinite, longitude.isFinite,
            distance.map({ $0?.isFinite == true }) ?? true
        else {
            throw .badRequest(
                "\(Naming.shown(field)) must be near a place such as '47.45, -122.31 within 120000', in degrees and metres"
            )
        }
        let place = JSONObject([
            .init(key: "latitude", value: .number(latitude)), .init(key: "longitude", value: .number(longitude)),
        ])
        let value = JSONObject([
            .init(key: "value", value: .object(place)),
            .init(key: "type", value: .string(FieldKind.location.rawValue)),
        ])
        return (.object(value), distance.flatMap { $0 }.map(JSONValue.number))
    }
}
