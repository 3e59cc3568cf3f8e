import Foundation

extension JSON {
    /// The text with sorted object members, so that equal values give equal bytes.
    var data: Data {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return Data(bytes)
    }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): bytes.append(contentsOf: "\(value)".utf8)
        case .number(let value): bytes.append(contentsOf: (value.isFinite ? "\(value)" : "null").utf8)
        case .string(let text): Self.write(text, to: &bytes)
        case .array(let items):
            Self.write(items, between: ("[", "]"), to: &bytes) { $0.write(to: &$1) }
        case .object(let members):
            Self.write(members.sorted { $0.key < $1.key }, between: ("{", "}"), to: &bytes) { member, bytes in
                Self.write(member.key, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
        }
    }

    private static func write<T>(
        _ items: [T], between ends: (StaticString, StaticString), to bytes: inout [UInt8],
        each: (T, inout [UInt8]) -> Void
    ) {
        bytes.append(contentsOf: "\(ends.0)".utf8)
        for (index, item) in items.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            each(item, &bytes)
        }
        bytes.append(contentsOf: "\(ends.1)".utf8)
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20:
                let digits = String(byte, radix: 16)
                bytes.append(contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
