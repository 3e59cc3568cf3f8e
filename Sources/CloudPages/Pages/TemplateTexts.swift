import CloudHTTP
import CloudModel
import Foundation

/// Puts a language's texts into a template.
///
/// `[[key]]` is a text; `[[key|name=…|other=…]]` also has the HTML of its placeholders, which may contain other texts.
/// `[[@lang]]`, `[[@direction]]`, `[[@dir]]` and `[[@languages]]` are the page's language, its writing direction, the same as
/// an attribute where it is not the usual one, and the options of a menu of languages. `[[@json key key]]` is a JSON object of texts for a script.
struct TemplateTexts {
    let language: PageLanguage
    let languages: [PageLanguage]

    /// - Throws: `PageTemplates.Unreadable` for an unknown key, or a placeholder without HTML.
    func fill(_ template: String, named name: String) throws(PageTemplates.Unreadable) -> String {
        guard template.contains("[[") || template.contains("]]") else { return template }
        var text = template
        // The innermost first: a placeholder's HTML may contain texts.
        while let end = text.range(of: "]]") {
            guard let start = text.range(of: "[[", options: .backwards, range: text.startIndex..<end.lowerBound) else {
                throw PageTemplates.Unreadable(description: "the page template \(name) has ]] without [[")
            }
            let inside = text[start.upperBound..<end.lowerBound]
            guard let filled = filled(inside) else {
                throw PageTemplates.Unreadable(
                    description: "the page template \(name) names '\(inside)', which is no text with these placeholders"
                )
            }
            text.replaceSubrange(start.lowerBound..<end.upperBound, with: filled)
        }
        return text
    }

    private func filled(_ inside: Substring) -> String? {
        switch inside {
        case "@lang": return language.tag
        case "@dir": return language.direction == .rightToLeft ? " dir=\"rtl\"" : ""
        case "@direction": return language.direction.rawValue
        case "@languages": return options
        case _ where inside.hasPrefix("@json "): return json(inside.split(separator: " ").dropFirst().map(String.init))
        default: break
        }
        let parts = inside.split(separator: "|")
        guard let key = parts.first, case .plain(let text) = language.entry(String(key)),
            let pieces = TextTable.pieces(text)
        else { return nil }
        var html: [Substring: Substring] = [:]
        for part in parts.dropFirst() {
            guard let equals = part.firstIndex(of: "=") else { return nil }
            html[part[..<equals]] = part[part.index(after: equals)...]
        }
        var filled = ""
        for piece in pieces {
            switch piece {
            case .literal(let text): filled += Self.escaped(text)
            case .placeholder(let name):
                guard let value = html[name] else { return nil }
                filled += value
            }
        }
        return filled
    }

    private var options: String {
        languages.map { other in
            let isOwn = other.tag == language.tag
            return "<option value=\"\(other.tag)\" lang=\"\(other.tag)\"\(isOwn ? " selected" : "")>"
                + Self.escaped(other.name) + "</option>"
        }.joined(separator: "\n")
    }

    private func json(_ keys: [String]) -> String? {
        var writer = JSONWriter()
        guard keys.allSatisfy({ language.entry($0) != nil }) else { return nil }
        writer.object { writer in
            for key in keys {
                writer.key(key)
                switch language.entry(key) {
                case .plain(let text): writer.string(text)
                case .plural(let forms):
                    writer.object { writer in
                        for category in PluralCategory.allCases {
                            guard let form = forms[category] else { continue }
                            writer.key(category.rawValue)
                            writer.string(form)
                        }
                    }
                case nil: writer.null()
                }
            }
        }
        // Neither the end of the script element nor a tag of the template may stand in a string. Only strings and
        // their keys have a brace beside a letter.
        return String(decoding: writer.bytes, as: UTF8.self).replacing("<", with: "\\u003c")
            .replacing(#/\{([a-z]+)\}/#) { "\\u007b\($0.output.1)\\u007d" }.replacing("[", with: "\\u005b")
            .replacing("]", with: "\\u005d").replacing("{{", with: "{ {").replacing("}}", with: "} }")
    }

    /// Escaped for HTML, quoted attributes and templates.
    static func escaped(_ text: some StringProtocol) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "{": escaped += "&#123;"
            case "}": escaped += "&#125;"
            case "[": escaped += "&#91;"
            case "]": escaped += "&#93;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
