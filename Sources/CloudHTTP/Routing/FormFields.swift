package import CloudModel
import Foundation

/// Parsed fields of a form or a URL query (`application/x-www-form-urlencoded`).
///
/// Brackets in names have no special meaning.
package struct FormFields: Sendable {
    private var values: [String: [String]] = [:]

    package init(_ bytes: some Collection<UInt8>) {
        for (name, value) in URLPairs(bytes) {
            values[Self.text(name), default: []].append(value.map { Self.text($0) } ?? "")
        }
    }

    /// The first value of a field; nil if absent.
    package subscript(name: String) -> String? { values[name]?.first }

    package var names: Set<String> { Set(values.keys) }

    /// All values of a field, in order.
    package func all(_ name: String) -> [String] { values[name] ?? [] }

    /// A required field, trimmed.
    ///
    /// - Throws: `BAD_REQUEST` with the field's name if it is missing, empty or longer than `limit` bytes.
    package func text(_ name: String, atMost limit: Int = 1024) throws(ServerError) -> String {
        let text = (self[name] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else { throw .badRequest("\(name) is missing") }
        guard text.utf8.count <= limit else {
            throw .badRequest("\(name) is longer than \(limit) bytes", .limit(limit))
        }
        return text
    }

    private static func text(_ bytes: some Collection<UInt8>) -> String {
        PercentEncoding.decode(bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 })
    }
}

extension FormFields {
    /// A field's value; nil if missing or empty.
    package func filled(_ name: String) -> String? { self[name].flatMap { $0.isEmpty ? nil : $0 } }
}
