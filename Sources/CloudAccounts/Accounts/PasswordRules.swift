package import CloudModel

/// Rules for new passwords.
package enum PasswordRules {
    /// The fewest characters of a password.
    static let fewestCharacters = 8

    /// - Parameter email: the email address of the password's account.
    /// - Throws: `BAD_REQUEST` for a password that is too short, too long or too easy to guess.
    static func check(_ password: String, email: String) throws(ServerError) {
        guard password.count >= fewestCharacters, password.utf8.count <= PasswordWork.longest else {
            throw .badRequest(
                "a password has at least \(fewestCharacters) characters and at most \(PasswordWork.longest) bytes")
        }
        let address = EmailAddress.key(email)
        let guesses = [address, String(address.prefix { $0 != "@" })]
        if guesses.contains(EmailAddress.key(password)) {
            throw .badRequest("this password is too easy to guess: it is the email address")
        }
        try refuseSimple(password)
    }

    /// - Throws: `BAD_REQUEST` for one repeated character or a common password.
    package static func refuseSimple(_ password: String) throws(ServerError) {
        if Set(password).count == 1 {
            throw .badRequest("this password is too easy to guess: it is one character, repeated")
        }
        if common.contains(EmailAddress.key(password)) {
            throw .badRequest("this password is too easy to guess: it is one of the most common")
        }
    }

    /// Common passwords, in lower case.
    private static let common: Set<String> = [
        "password", "password1", "password12", "password123", "password1234", "passw0rd", "p@ssw0rd", "p@ssword",
        "passwort", "passwort1", "motdepasse", "contraseña", "1234", "12345", "123456", "1234567", "12345678",
        "123456789", "1234567890", "0123456789", "9876543210", "987654321", "87654321", "654321", "123123", "12341234",
        "123123123", "11223344", "11112222", "12344321", "abc123", "abcd1234", "abc12345", "a1b2c3d4", "abcdefgh",
        "abcdefghi", "1q2w3e4r", "1q2w3e4r5t", "1qaz2wsx", "q1w2e3r4", "qwerty", "qwerty12", "qwerty123", "qwertyui",
        "qwertyuiop", "qwertzui", "qwertzuiop", "azertyuiop", "asdfasdf", "asdfghjk", "asdfghjkl", "zxcvbnm",
        "zxcvbnm1", "iloveyou", "iloveyou1", "letmein", "letmein1", "welcome", "welcome1", "welcome123", "admin",
        "admin123", "administrator", "changeme", "changeme1", "changeit", "default1", "secret", "topsecret", "trustno1",
        "football", "football1", "baseball", "baseball1", "basketball", "superman", "starwars", "princess",
        "princess1", "sunshine", "sunshine1", "michelle", "jennifer", "charlie1", "whatever", "computer", "internet",
        "testtest", "test1234", "hello123", "icloud", "cloudkit", "cumulus",
    ]
}
