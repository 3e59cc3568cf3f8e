import CloudModel
import CloudSQL
import CloudCrypto

/// An operator's authenticator app, the code to set it up with, and the codes for the day that it is lost.
enum SecondFactor {
    private static let recoveryCodes = 10
    /// As many bits as nobody guesses within the limits on attempts.
    private static let codeBytes = 10

    /// The time in which an operator may set an app up.
    private static let timeToEnrol = Duration.seconds(7 * 86400)

    /// Makes the code that the next app is set up with, in place of the last; nothing shows it again. Without it
    /// whoever knows a password could set up an app of their own.
    static func makeEnrolmentCode(account: Int64, now: Timestamp, in db: SQLConnection) throws -> String {
        let code = newCode()
        try db.run(
            "UPDATE consoleOperator SET enrolment = ?, enrolmentExpires = ? WHERE account = ?",
            .blob(digest(plain(code))), .seconds(now + timeToEnrol), .integer(account))
        return code
    }

    /// Sets the app up, if `code` shows that it has the secret and `enrolment` was given to this operator.
    static func enrol(
        _ offered: OneTimeCode, code: String, enrolment: String, account: Int64, now: Timestamp, in db: SQLConnection
    ) throws -> Bool {
        guard let step = offered.step(of: code, at: now, after: 0) else { return false }
        // Who began a second sign-in meanwhile and set an app up there is not pushed aside.
        return try db.run(
            """
            UPDATE consoleOperator SET secret = ?, lastStep = ?, enrolment = NULL, enrolmentExpires = NULL
            WHERE account = ? AND secret IS NULL AND enrolment = ? AND enrolmentExpires > ?
            """, .blob(offered.secret), .integer(step), .integer(account), .blob(digest(plain(enrolment))),
            .seconds(now)) > 0
    }

    /// Uses up a code of the app, or a recovery code.
    static func accepts(_ text: String, account: Int64, now: Timestamp, in db: SQLConnection) throws -> Bool {
        let typed = plain(text)
        if typed.utf8.count > 6 {
            return try db.run(
                "DELETE FROM recoveryCode WHERE hash = ? AND account = ?", .blob(digest(typed)), .integer(account)) > 0
        }
        let known = try db.first(
            "SELECT secret, lastStep FROM consoleOperator WHERE account = ? AND secret IS NOT NULL", .integer(account)
        ) { (code: OneTimeCode(secret: $0.blob(0)), last: $0.integer(1)) }
        guard let known, let step = known.code.step(of: typed, at: now, after: known.last) else { return false }
        try db.run("UPDATE consoleOperator SET lastStep = ? WHERE account = ?", .integer(step), .integer(account))
        return true
    }

    /// Makes recovery codes; nothing shows them again.
    static func makeRecoveryCodes(account: Int64, in db: SQLConnection) throws -> [String] {
        try db.run("DELETE FROM recoveryCode WHERE account = ?", .integer(account))
        return try (0..<recoveryCodes).map { _ in
            let code = newCode()
            try db.run(
                "INSERT INTO recoveryCode (hash, account) VALUES (?, ?)", .blob(digest(plain(code))),
                .integer(account))
            return code
        }
    }

    /// Four groups of four characters.
    private static func newCode() -> String {
        let code = Base32.encode(RandomText.bytes(codeBytes))
        return [code.prefix(4), code.dropFirst(4).prefix(4), code.dropFirst(8).prefix(4), code.dropFirst(12)]
            .joined(separator: "-")
    }

    /// As it was made, however it was typed.
    private static func plain(_ text: String) -> String {
        String(text.uppercased().filter { $0.isLetter || $0.isNumber }.prefix(32))
    }

    private static func digest(_ code: String) -> [UInt8] { Array(SHA256.hash(of: code)) }
}
