import Foundation

extension JSON {
    /// The document as one line of text.
    var text: String {
        switch self {
        case .null: "null"
        case .bool(let bool): bool ? "true" : "false"
        case .number(let number): Int64(exactly: number).map(String.init) ?? String(number)
        case .string(let string): Self.quoted(string)
        case .array(let elements): "[\(elements.map(\.text).joined(separator: ","))]"
        case .object(let members):
            "{\(members.map { "\(Self.quoted($0.key)):\($0.value.text)" }.joined(separator: ","))}"
        }
    }

    /// Reads a document; what an object's members are is kept, not their order.
    init(parsing data: Data) throws {
        self.init(try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed))
    }

    private init(_ value: Any) {
        self =
            switch value {
            case let string as String: .string(string)
            case let members as [String: Any]: .object(members.map { Member(key: $0, value: JSON($1)) })
            case let elements as [Any]: .array(elements.map(JSON.init))
            case let number as NSNumber: Self.isBool(number) ? .bool(number.boolValue) : .number(number.doubleValue)
            default: .null
            }
    }

    /// Foundation hands out true and false as numbers one byte wide, which it makes of nothing else.
    private static func isBool(_ number: NSNumber) -> Bool { number.objCType.pointee == CChar(UInt8(ascii: "c")) }

    private static func quoted(_ string: String) -> String {
        var text = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "\u{0}"..."\u{1F}": text += String(format: "\\u%04x", scalar.value)
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
