/// A label made from a field or record type name, split into words.
enum FieldLabel {
    /// `createdDate` and `created_date` become `Created date`; acronyms keep their capitals.
    static func text(_ name: String) -> String {
        let words = words(of: name).map { $0.count > 1 && $0.allSatisfy(\.isUppercase) ? $0 : $0.lowercased() }
        guard let first = words.first else { return name }
        return ([first.prefix(1).uppercased() + first.dropFirst()] + words.dropFirst()).joined(separator: " ")
    }

    private static func words(of name: String) -> [String] {
        var words: [String] = []
        for part in name.split(separator: "_") {
            let letters = Array(part)
            var word = ""
            for (index, letter) in letters.enumerated() {
                let endsCapitals =
                    letter.isUppercase && word.last?.isUppercase == true && index + 1 < letters.count
                    && letters[index + 1].isLowercase
                if letter.isUppercase, word.last?.isLowercase == true || endsCapitals {
                    words.append(word)
                    word = ""
                }
                word.append(letter)
            }
            words.append(word)
        }
        return words
    }
}
