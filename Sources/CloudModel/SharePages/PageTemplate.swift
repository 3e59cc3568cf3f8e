/// Text with placeholders for a record's fields: `{locationName}, {startDate}`.
package struct PageTemplate: Hashable, Sendable {
    package enum Part: Hashable, Sendable {
        case text(String)
        case field(String)
    }

    package let parts: [Part]

    /// - Parameter path: the setting that contains the text, for the error.
    /// - Throws: `BAD_REQUEST` for an unmatched brace or an invalid field name.
    package init(_ text: String, path: String) throws(ServerError) {
        guard text.utf8.count <= 1000 else {
            throw .badRequest("\(known: path): at most 1000 bytes are allowed", .limit(1000))
        }
        var parts: [Part] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else {
                throw .badRequest("\(known: path): a '{' has no '}' after it")
            }
            if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
            let name = String(rest[rest.index(after: open)..<close])
            if let fault = Naming.fault(fieldName: name) { throw .badRequest("\(known: path): \(fault)") }
            parts.append(.field(name))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        guard !parts.isEmpty else { throw .badRequest("\(known: path): must not be empty") }
        self.parts = parts
    }

    /// The text with its placeholders filled; nil if every placeholder lacks a value. Text without placeholders stays
    /// unchanged.
    package func filled(_ value: (String) -> String?) -> String? {
        var text = ""
        var hasRegistrations = false
        var isFilled = false
        for part in parts {
            switch part {
            case .text(let literal): text += literal
            case .field(let name):
                hasRegistrations = true
                guard let value = value(name), !value.isEmpty else { continue }
                text += value
                isFilled = true
            }
        }
        return hasRegistrations && !isFilled ? nil : text
    }

    /// The template's source text.
    package var source: String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .field(let name): "{\(name)}"
            }
        }.joined()
    }
}
