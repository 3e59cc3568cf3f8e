import CloudModel
import Foundation

/// The rules for an email address: its form, and the key that makes two of them the same.
enum EmailAddress {
    /// Trims the address; refuses what cannot be one.
    static func check(_ text: String) throws(ServerError) -> String {
        let email = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let parts = email.split(separator: "@", omittingEmptySubsequences: false)
        let printable = email.unicodeScalars.allSatisfy {
            $0.value > 0x20 && $0.value != 0x7F && !$0.properties.isWhitespace
        }
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), printable, email.utf8.count <= 254 else {
            throw .badRequest("email: '\(text.prefix(254))' is not an email address of at most 254 bytes")
        }
        return email
    }

    /// Equal for addresses that differ in case only (reference B §5.3).
    static func key(_ email: String) -> String {
        email.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping.lowercased()
    }
}

/// Telephone numbers, kept without the spaces and dashes people write.
enum PhoneNumber {
    static func check(_ text: String) throws(ServerError) -> String {
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
