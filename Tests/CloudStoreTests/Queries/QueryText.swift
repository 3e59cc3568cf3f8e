import CloudModel
import TestStore

// Records and questions as the wire has them.
extension QueryGenerator {
    private static func json(_ cell: PlainCell, _ kind: Kind) -> JSONValue {
        switch cell {
        case .text(let name) where kind == .user: json(reference: name, zone: nil)
        case .reference(let name, let zone): json(reference: name, zone: zone)
        case .text(let text): .string(text)
        case .whole(let whole): .integer(whole)
        case .real(let real): .number(real)
        }
    }

    private static func json(reference name: String, zone: ZoneID?) -> JSONValue {
        var members = [JSONObject.Member(key: "recordName", value: .string(name))]
        if let zone {
            members.append(
                JSONObject.Member(
                    key: "zoneID",
                    value: .object(
                        JSONObject([
                            JSONObject.Member(key: "zoneName", value: .string(zone.name)),
                            JSONObject.Member(key: "ownerRecordName", value: .string(zone.owner)),
                        ]))))
        }
        return .object(JSONObject(members))
    }

    static func creation(_ record: PlainRecord) -> String {
        var writer = JSONWriter()
        writer.object {
            for field in fields {
                guard let value = record.values[field.name] else { continue }
                $0.key(field.name)
                $0.object {
                    $0.key("value")
                    switch value {
                    case .one(let cell): $0.value(json(cell, field.kind))
                    case .many(let cells): $0.value(.array(cells.map { json($0, field.kind) }))
                    case .place(let position): $0.value(json(position))
                    }
                    $0.member("type", field.tag)
                }
            }
        }
        return operation(
            .create, record.name, fields: String(decoding: writer.bytes, as: UTF8.self))
    }

    static func text(_ query: PlainQuery) -> String {
        var writer = JSONWriter()
        writer.object {
            $0.member("recordType", "Note")
            $0.key("filterBy")
            $0.array { for filter in query.filters { write(filter, to: &$0) } }
            $0.key("sortBy")
            $0.array {
                for sort in query.sorts {
                    $0.object {
                        $0.member("fieldName", sort.field)
                        $0.member("ascending", sort.ascending)
                        if let origin = sort.origin {
                            $0.key("relativeLocation")
                            $0.value(json(origin))
                        }
                    }
                }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func json(_ position: Coordinate) -> JSONValue {
        .object(
            JSONObject([
                JSONObject.Member(key: "latitude", value: .number(position.latitude)),
                JSONObject.Member(key: "longitude", value: .number(position.longitude)),
            ]))
    }

    private static func write(_ filter: PlainQuery.Filter, to writer: inout JSONWriter) {
        let kind = (fields + systemFields).first { $0.name == filter.field }?.kind ?? .text
        let operands = filter.center.map { [json($0)] } ?? filter.operands.map { json($0, kind) }
        writer.object {
            if !filter.field.isEmpty { $0.member("fieldName", filter.field) }
            if filter.comparator == .near {
                $0.key("distance")
                $0.number(filter.distance)
            }
            $0.member("comparator", filter.comparator.rawValue)
            $0.key("fieldValue")
            $0.object {
                $0.key("value")
                let isArray = filter.comparator.takesMany || filter.comparator.isTextSearch
                $0.value(isArray ? .array(operands) : operands[0])
            }
        }
    }
}
