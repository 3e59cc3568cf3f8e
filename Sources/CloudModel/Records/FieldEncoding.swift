/// Field values in the form of responses (reference A §3), which is also the stored form.
package enum FieldEncoding {
    /// Appends `"name":{"value":…,"type":…}`.
    package static func write(
        _ name: String, _ value: FieldValue, type: FieldType, zone: ZoneID, to writer: inout JSONWriter
    ) {
        writer.begin(name, #":{"value":"#)
        switch value {
        case .one(let scalar): write(scalar, zone: zone, to: &writer)
        case .list(let scalars): writer.array { for scalar in scalars { write(scalar, zone: zone, to: &$0) } }
        }
        let kind = wireKind(of: value, type).wireText
        writer.append {
            $0.put(key: "type")
            $0.put(UInt8(ascii: "\""))
            $0.put(kind)
            $0.put(type.isList ? #"_LIST""# : #"""#)
            $0.put(type.isEncrypted ? #","isEncrypted":true}"# : "}")
        }
    }

    /// Writes an empty list of unknown element type (reference A §3.2).
    package static func writeUntypedList(_ name: String, to writer: inout JSONWriter) {
        writer.key(name)
        writer.object {
            $0.key("value")
            $0.array { _ in }
            $0.member("type", "UNKNOWN_LIST")
        }
    }

    /// NUMBER is no wire tag: its values have tags of their own.
    private static func wireKind(of value: FieldValue, _ type: FieldType) -> FieldKind {
        guard type.kind == .number else { return type.kind }
        switch value {
        case .one(.int64): return .int64
        case .one: return .double
        case .list(let scalars):
            return scalars.allSatisfy { if case .int64 = $0 { true } else { false } } ? .int64 : .double
        }
    }

    private static func write(_ scalar: Scalar, zone: ZoneID, to writer: inout JSONWriter) {
        switch scalar {
        case .string(let text), .bytes(let text): writer.string(text)
        case .int64(let integer): writer.integer(integer)
        case .timestamp(let timestamp): writer.integer(timestamp.milliseconds)
        case .double(let double): writer.number(double)
        case .location(let location):
            writer.object {
                $0.key("latitude")
                $0.number(location.latitude)
                $0.key("longitude")
                $0.number(location.longitude)
                for detail in location.details {
                    $0.key(detail.key)
                    $0.value(detail.value)
                }
                if let timestamp = location.timestamp { $0.member("timestamp", timestamp.milliseconds) }
            }
        case .reference(let reference):
            writer.object {
                $0.member("recordName", reference.recordName)
                $0.member("action", reference.action.rawValue)
                $0.key("zoneID")
                (reference.zone ?? zone).write(to: &$0)
            }
        case .asset(let asset): asset.write(to: &writer)
        }
    }
}

extension FieldKind {
    /// ``wireName`` without an allocation.
    fileprivate var wireText: StaticString {
        switch self {
        case .string: "STRING"
        case .int64: "INT64"
        case .double: "DOUBLE"
        case .timestamp: "TIMESTAMP"
        case .bytes: "BYTES"
        case .location: "LOCATION"
        case .reference: "REFERENCE"
        case .asset: "ASSETID"
        case .number: "NUMBER"
        }
    }
}
