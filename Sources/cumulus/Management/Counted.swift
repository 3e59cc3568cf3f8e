/// Formats counts with their nouns.
enum Counted {
    /// A number for a table cell; empty for 0.
    static func shown(_ count: some BinaryInteger) -> String { count == 0 ? "" : "\(count)" }

    /// "1 record", "2 records".
    ///
    /// - Parameter plural: the plural noun; nil appends an s.
    static func text(_ count: some BinaryInteger, _ noun: String, _ plural: String? = nil) -> String {
        "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
    }

    /// "2 zones, 1 record", without zero counts; `nothing` if all counts are zero.
    static func list(_ counts: [(count: Int, noun: String, plural: String?)], nothing: String) -> String {
        let parts = counts.filter { $0.count != 0 }.map { text($0.count, $0.noun, $0.plural) }
        return parts.isEmpty ? nothing : parts.joined(separator: ", ")
    }
}
