import Foundation

extension App {
    /// A value of a query or form.
    package static func query(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    /// A text of a page.
    package static func unescaped(_ html: String) -> String {
        var text = html
        for (name, character) in [("lt", "<"), ("gt", ">"), ("quot", "\""), ("#34", "\""), ("#39", "'"), ("amp", "&")] {
            text = text.replacing("&\(name);", with: character)
        }
        return text
    }
}
