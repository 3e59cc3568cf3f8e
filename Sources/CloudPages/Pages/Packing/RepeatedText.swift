import CloudModel

/// A text that a page repeats by design, such as a column title in each cell. The packer writes it as a reference to
/// its previous occurrence. The equality of two such texts is not secret.
package enum RepeatedText {
    /// A random prefix that other texts cannot forge.
    private static let mark = "\u{4}" + RandomUUID.make(.secrets)

    package static func marked(_ text: String) -> String { mark + text }

    /// The bytes without their mark; nil for an unmarked text.
    package static func unmarked(_ text: String) -> Substring.UTF8View? {
        guard text.utf8.first == RenderedPage.beginRepeated, text.utf8.starts(with: mark.utf8) else { return nil }
        return text.utf8.dropFirst(mark.utf8.count)
    }
}
