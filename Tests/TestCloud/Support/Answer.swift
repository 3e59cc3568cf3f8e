package import CloudHTTP
package import CloudModel
import NIOCore

/// A response of the server.
package struct Answer: Sendable {
    package let status: Int
    package let headers: HTTPFields
    package let text: String
    /// Null when the body is no JSON.
    package let json: JSONValue

    package init(_ response: TestResponse) {
        self.init(status: response.status.code, headers: response.headers, text: String(buffer: response.body))
    }

    package init(status: Int, headers: HTTPFields, text: String) {
        self.status = status
        self.headers = headers
        self.text = text
        json = (try? JSONParser.parse(Array(text.utf8))) ?? .null
    }

    /// The value at a path such as `records.0.fields.title.value`.
    package subscript(path: String) -> JSONValue? { json[path: path] }

    /// The value at a path in each element of an array.
    package func column(_ array: String, _ path: String) -> [JSONValue?] {
        (json[path: array]?.array ?? []).map { $0[path: path] }
    }

    package var recordNames: [String] { column("records", "recordName").compactMap { $0?.string } }
    package var zoneNames: [String] { column("zones", "zoneID.zoneName").compactMap { $0?.string } }
    package var code: String? { json[path: "serverErrorCode"]?.string }
    package var reason: String { json[path: "reason"]?.string ?? "" }
}

extension JSONValue {
    /// The value at a path such as `records.0.fields.title.value`; a null is there.
    package subscript(path path: String) -> JSONValue? {
        var value = self
        for part in path.split(separator: ".") {
            switch value {
            case .object(let object):
                guard let member = object.members.last(where: { $0.key == part }) else { return nil }
                value = member.value
            case .array(let array):
                guard let index = Int(part), array.indices.contains(index) else { return nil }
                value = array[index]
            default: return nil
            }
        }
        return value
    }

    package var keys: Set<String> { Set((object?.members ?? []).map(\.key)) }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByFloatLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(floatLiteral value: Double) { self = .number(value) }
}
