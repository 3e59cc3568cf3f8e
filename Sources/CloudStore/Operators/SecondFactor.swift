import CloudModel
import CloudSQL
import Crypto

/// An operator's authenticator app, and the codes for the day that it is lost.
enum SecondFactor {
    private static let recoveryCodes = 10
    /// As many bits as nobody guesses within the limits on attempts.
    private static let recoveryBytes = 10

    /// Sets the app up, if the code shows that it has the secret.
    static func enrol(
        _ offered: OneTimeCode, code: String, account: Int64, now: Timestamp, in db: SQLConnection
    ) throws -> Bool {
        guard let step = offered.step(of: code, at: now, after: 0) else { return false }
        // Who began a second sign-in meanwhile and set an app up there is not pushed aside.
        return try db.run(
            "UPDATE consoleOperator SET secret = ?, lastStep = ? WHERE account = ? AND secret IS NULL",
            .blob(offered.secret), .integer(step), .integer(account)) > 0
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
            let code = Base32.encode(RandomText.bytes(recoveryBytes))
            try db.run(
                "INSERT INTO recoveryCode (hash, account) VALUES (?, ?)", .blob(digest(code)), .integer(account))
            return [code.prefix(4), code.dropFirst(4).prefix(4), code.dropFirst(8).prefix(4), code.dropFirst(12)]
                .joined(separator: "-")
        }
    }

    /// As it was made, however it was typed.
    private static func plain(_ text: String) -> String {
        String(text.uppercased().filter { $0.isLetter || $0.isNumber }.prefix(32))
    }

    private static func digest(_ code: String) -> [UInt8] { Array(SHA256.hash(of: code)) }
}
