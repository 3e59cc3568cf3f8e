package import CloudModel
import Foundation

/// Rules for email addresses: their form, and the key that equal addresses share.
package enum EmailAddress {
    /// Trims the address and accepts only a dot-atom on each side of the `@` (RFC 5322 §3.4.1), which mail programs and headers
    /// read as a single address.
    ///
    /// Letters and digits of all scripts are atoms (RFC 6531). Quoted names, comments, lists and address literals are refused,
    /// and so is a leading `-`, which mail programs read as an option.
    static func check(_ text: String) throws(ServerError) -> String {
        let email = try checkKept(text)
        guard let at = email.lastIndex(of: "@"), email.first != "-", isDotAtom(email[..<at], isAtom),
            isDotAtom(email[email.index(after: at)...], isDomainAtom)
        else { throw refusal(text) }
        return email
    }

    /// Returns true if the address may be an argument of a mail program.
    static func isMailable(_ text: String) -> Bool { (try? check(text)) == text }

    private static func isDotAtom(_ text: Substring, _ isPart: (Unicode.Scalar) -> Bool) -> Bool {
        text.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false)
            .allSatisfy { !$0.isEmpty && $0.allSatisfy(isPart) }
    }

    private static func isAtom(_ scalar: Unicode.Scalar) -> Bool {
        isDomainAtom(scalar) || "!#$%&'*+/=?^_`{|}~".unicodeScalars.contains(scalar)
    }

    private static func isDomainAtom(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.isASCII else { return scalar == "-" || scalar.properties.isAlphabetic || isDigit(scalar) }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber, .otherSymbol:
            return true
        default: return false
        }
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    private static func refusal(_ text: String) -> ServerError {
        .badRequest(
            "email: '\(text.prefix(254))' is not an email address of at most 254 bytes, such as ann@example.com")
    }

    /// The rule of earlier versions, for addresses in existing files and exports. Such addresses get no mail.
    package static func checkKept(_ text: String) throws(ServerError) -> String {
        let email = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let parts = email.split(separator: "@", omittingEmptySubsequences: false)
        let printable = email.unicodeScalars.allSatisfy {
            $0.value > 0x20 && $0.value != 0x7F && !$0.properties.isWhitespace
        }
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), printable, email.utf8.count <= 254 else {
            throw refusal(text)
        }
        return email
    }

    /// Equal for addresses that differ only in case (reference B §5.3), in Unicode's equivalent forms or in the spelling of the
    /// domain.
    static func key(_ email: String) -> String { AddressKey.make(email.precomposedStringWithCanonicalMapping) }
}

/// Telephone numbers, stored without spaces, dashes, dots and parentheses.
package enum PhoneNumber {
    package static func check(_ text: String) throws(ServerError) -> String {
        let number = key(text)
        let digits = number.hasPrefix("+") ? number.dropFirst() : Substring(number)
        guard (3...20).contains(digits.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw .badRequest(
                "phone: '\(text.prefix(40))' is not a phone number of 3 to 20 digits, such as +15555550100")
        }
        return number
    }

    static func key(_ text: String) -> String {
        text.filter { !" -().\u{A0}".contains($0) }
    }
}
