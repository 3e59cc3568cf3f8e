import CloudModel

/// A text that a page repeats by its make, such as the title of a column in each of its cells: packed, it is a reference to where
/// it stood before. That two of them are equal is no secret.
enum RepeatedText {
    /// What nobody else can begin a text with.
    private static let mark = "\u{4}" + RandomUUID.make(.secrets)

    static func marked(_ text: String) -> String { mark + text }

    /// The bytes without their mark; nil for a text without one.
    static func unmarked(_ text: String) -> Substring.UTF8View? {
        guard text.utf8.first == RenderedPage.beginRepeated, text.utf8.starts(with: mark.utf8) else { return nil }
        return text.utf8.dropFirst(mark.utf8.count)
    }
}
