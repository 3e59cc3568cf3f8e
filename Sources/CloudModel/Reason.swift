/// The reason for a refusal, with and without client-supplied text.
///
/// Interpolated text is left out of ``plain`` unless labelled `known:`. Logs and request records hold the plain form, so no
/// token, password or value of a request reaches them through an error.
package struct Reason: Hashable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    /// The sentence for the client.
    package let text: String
    /// The sentence with "…" in place of client-supplied text.
    package let plain: String

    private init(text: String, plain: String) {
        self.text = text
        self.plain = plain
    }

    package init(stringLiteral literal: String) { self.init(text: literal, plain: literal) }

    package init(stringInterpolation parts: StringInterpolation) { self.init(text: parts.text, plain: parts.plain) }

    /// A sentence without client-supplied text.
    package init(known text: String) { self.init(text: text, plain: text) }

    package var description: String { text }

    /// The sentence for the client, truncated for a log record.
    var told: String { text.count > Self.longest ? text.prefix(Self.longest) + "…" : text }
    private static let longest = 1000

    package static func + (first: Reason, second: Reason) -> Reason {
        Reason(text: first.text + second.text, plain: first.plain + second.plain)
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""
        fileprivate var plain = ""

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) {
            text += literal
            plain += literal
        }

        /// Text that a client may have chosen.
        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            text += value.description
            plain += "…"
        }

        package mutating func appendInterpolation(_ number: some FixedWidthInteger) {
            appendInterpolation(known: number)
        }

        package mutating func appendInterpolation(_ reason: Reason) {
            text += reason.text
            plain += reason.plain
        }

        /// Text known to the server: a setting, a rule, a name in the schema.
        package mutating func appendInterpolation(known value: some CustomStringConvertible) {
            text += value.description
            plain += value.description
        }
    }
}

extension Sequence where Element == Reason {
    package func joined(separator: Reason) -> Reason {
        var result: Reason?
        for element in self { result = result.map { $0 + separator + element } ?? element }
        return result ?? ""
    }
}
