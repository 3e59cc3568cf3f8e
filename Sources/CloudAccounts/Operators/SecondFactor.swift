import CloudEngine
import CloudModel
import CloudSQL
import CloudCrypto

/// An operator's authenticator app, the code for setting it up, and recovery codes for a lost app.
enum SecondFactor {
    private static let recoveryCodes = 10
    /// 80 bits, too many to guess within the limits on attempts.
    private static let codeBytes = 10

    /// The time limit for setting up an app.
    private static let timeToEnrol = Duration.seconds(7 * 86400)

    /// Creates the code for setting up the next app, replacing an earlier code; it cannot be read again. Without the code, a
    /// person with only the password could set up an app.
    static func makeEnrolmentCode(account: Int64, now: Timestamp, in db: SQLConnection) throws -> String {
        let code = newCode()
        try db.run(
            "UPDATE consoleOperator SET enrolment = ?, enrolmentExpires = ? WHERE account = ?",
            .blob(digest(plain(code))), .seconds(now + timeToEnrol), .integer(account))
        return code
    }

    /// Sets up the app if `code` proves the app's secret and `enrolment` is this operator's code.
    static func enrol(
        _ offered: OneTimeCode, code: String, enrolment: String, account: Int64, now: Timestamp, in db: SQLConnection
    ) throws -> Bool {
        guard let step = offered.step(of: code, at: now, after: 0) else { return false }
        // An app set up meanwhile in a second sign-in is not replaced.
        return try db.run(
            """
            UPDATE consoleOperator SET secret = ?, lastStep = ?, enrolment = NULL, enrolmentExpires = NULL
            WHERE account = ? AND secret IS NULL AND enrolment = ? AND enrolmentExpires > ?
            """, .blob(offered.secret), .integer(step), .integer(account), .blob(digest(plain(enrolment))),
            .seconds(now)) > 0
    }

    /// Accepts and uses up a code of the app or a recovery code.
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

    /// Creates recovery codes, replacing earlier codes; they cannot be read again.
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

    /// A code in upper case, without separators.
    private static func plain(_ text: String) -> String {
        String(text.uppercased().filter { $0.isLetter || $0.isNumber }.prefix(32))
    }

    private static func digest(_ code: String) -> [UInt8] { Array(SHA256.hash(of: code)) }
}
