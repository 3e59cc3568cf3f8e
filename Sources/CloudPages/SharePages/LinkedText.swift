/// Splits a text at its web addresses.
package enum LinkedText {
    package struct Piece: Hashable, Sendable {
        /// The piece of text; for a link ``WebAddress/shown``.
        package let text: String
        /// Nil for plain text.
        package let link: String?
    }

    /// The most addresses of a text that are looked at; further ones stay plain.
    static let mostLinks = 100

    /// - Returns: the text in pieces; nothing for a text without a web address.
    package static func pieces(_ text: String) -> [Piece] {
        guard text.utf8.contains(UInt8(ascii: ":")) || text.lowercased().contains(bare) else { return [] }
        let scalars = text.unicodeScalars
        var (pieces, tries) = ([Piece](), 0)
        var (plain, index) = (scalars.startIndex, scalars.startIndex)
        var isInWord = false
        while index < scalars.endIndex, tries < mostLinks {
            let scalar = scalars[index]
            guard !isInWord, "hHwW".unicodeScalars.contains(scalar), beginsAddress(scalars[index...]) else {
                isInWord = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
                index = scalars.index(after: index)
                continue
            }
            let end = scalars[index...].firstIndex(where: WebAddress.ends) ?? scalars.endIndex
            let found = trimmed(scalars[index..<end])
            if let piece = piece(String(found)) {
                if plain < index { pieces.append(Piece(text: String(scalars[plain..<index]), link: nil)) }
                pieces.append(piece)
                plain = found.endIndex
            }
            tries += 1
            // The characters of a refused address begin no other.
            index = end
            isInWord = false
        }
        guard !pieces.isEmpty else { return [] }
        if plain < scalars.endIndex { pieces.append(Piece(text: String(scalars[plain...]), link: nil)) }
        return pieces
    }

    /// How an address without a scheme begins.
    private static let bare = "www."

    private static func piece(_ found: String) -> Piece? {
        guard found.lowercased().hasPrefix(bare) else {
            return WebAddress(found).map { Piece(text: $0.shown, link: $0.link) }
        }
        let scheme = "https://"
        guard found.dropFirst(bare.count).contains("."), let address = WebAddress(scheme + found) else { return nil }
        return Piece(text: String(address.shown.dropFirst(scheme.count)), link: address.link)
    }

    private static func beginsAddress(_ rest: Substring.UnicodeScalarView) -> Bool {
        let beginning = String(rest.prefix(8)).lowercased()
        return beginning.hasPrefix(bare) || WebAddress.schemes.contains { beginning.hasPrefix($0) }
    }

    /// Without the punctuation of the sentence around an address, and without closing brackets that it does not open.
    private static func trimmed(_ address: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView {
        var address = address
        var open: [Unicode.Scalar: Int] = [:]
        for scalar in address where "()[]".unicodeScalars.contains(scalar) { open[scalar, default: 0] += 1 }
        while let last = address.last {
            switch last {
            case ".", ",", ";", ":", "!", "?", "'", "*", "_", "~": break
            case ")" where open[")", default: 0] > open["(", default: 0]: open[")", default: 0] -= 1
            case "]" where open["]", default: 0] > open["[", default: 0]: open["]", default: 0] -= 1
            default: return address
            }
            address.removeLast()
        }
        return address
    }
}
