/// A text for people, named by its key in the tables of texts, with the values of its placeholders.
package indirect enum Phrase: Hashable, Sendable {
    case keyed(String, [String: PhraseValue])
    /// An English text of the console.
    case english(String)
    /// A refusal's reason in English. Other languages show their own sentence for it, or the general one.
    case reason(String, otherwise: Phrase)

    /// - Parameter key: a key of `Public/texts/en.json`.
    package init(_ key: String, _ values: [String: PhraseValue] = [:]) { self = .keyed(key, values) }

    /// The text for logs and programs.
    package var english: String { PageLanguage.english.text(self) }
}

/// The value of a placeholder.
package enum PhraseValue: Hashable, Sendable {
    /// Shown unchanged, such as an address or a code.
    case text(String)
    /// A person's or record's name, which keeps its own writing direction.
    case name(String)
    /// Shown with the language's digits and separators. The value `count` selects the plural form.
    case number(Int)
    case phrase(Phrase)
}
