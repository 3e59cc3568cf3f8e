package import CloudModel
import Foundation

/// The fields of a form or of a page's query: names and texts (`application/x-www-form-urlencoded`).
///
/// Brackets in names are read as they are, and not as nesting.
package struct FormFields: Sendable {
    private var values: [String: [String]] = [:]

    package init(_ bytes: some Collection<UInt8>) {
        for (name, value) in URLPairs(bytes) {
            values[Self.text(name), default: []].append(value.map { Self.text($0) } ?? "")
        }
    }

    /// The first value of that name; nil when there is none.
    package subscript(name: String) -> String? { values[name]?.first }

    /// The names there are.
    package var names: Set<String> { Set(values.keys) }

    /// Every value of that name, in the order sent.
    package func all(_ name: String) -> [String] { values[name] ?? [] }

    /// The text of a field that must be there, without space around it.
    ///
    /// - Throws: `BAD_REQUEST` that names the field when it is missing, empty or longer than `limit` bytes.
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
