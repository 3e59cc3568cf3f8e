import CloudCrypto
import CloudEngine
package import CloudIdentity
package import CloudModel
package import CloudSQL

/// A passkey of an account.
package struct Passkey: Hashable, Sendable {
    /// The passkeys that an account may have.
    package static let mostPerAccount = 20
    /// The longest name, in characters.
    package static let longestName = 64

    package let id: [UInt8]
    package let account: Int64
    /// The relying-party id that it was made for.
    package let relyingParty: String
    /// Whether it can be on several devices.
    package let isBackupEligible: Bool
    /// Whether it was on several devices when it was used last.
    package let isBackedUp: Bool
    package let transports: [String]
    /// The AAGUID: the model of the authenticator, 16 bytes, zeros where it is not told.
    package let model: [UInt8]
    package let name: String
    package let created: Timestamp
    /// Nil for a passkey that nobody has signed in with.
    package let lastUsed: Timestamp?

    /// Names the passkey in forms: 22 letters of base64url.
    package var key: String { Base64URL.encode(Array(SHA256.hash(data: id)).prefix(16)) }

    package var known: PasskeyOptions.Known { PasskeyOptions.Known(id: id, transports: transports) }

    /// - Parameter row: the values of ``columns``.
    init(row: SQLRow) {
        id = row.blob(0)
        account = row.integer(1)
        relyingParty = row.text(2)
        isBackupEligible = row.bool(3)
        isBackedUp = row.bool(4)
        transports = row.text(5).split(separator: " ").map(String.init)
        model = row.blob(6)
        name = row.text(7)
        created = row.timestamp(seconds: 8)
        lastUsed = row.isNull(9) ? nil : row.timestamp(seconds: 9)
    }

    static let columns = """
        id, account, relyingParty, isBackupEligible, isBackedUp, transports, model, name, created, lastUsed
        """

    /// Oldest first.
    package static func all(of account: Int64, in db: SQLConnection) throws -> [Passkey] {
        try db.all(
            "SELECT \(columns) FROM passkey WHERE account = ? ORDER BY created, id", .integer(account),
            read: Passkey.init(row:))
    }

    /// - Throws: `BAD_REQUEST` for a name that is empty, longer than ``longestName`` characters or has control characters.
    static func checkName(_ name: String) throws(ServerError) {
        guard !name.allSatisfy(\.isWhitespace), name.count <= longestName, name.utf8.count <= 4 * longestName else {
            throw .badRequest("name must have 1 to \(longestName) characters", .limit(longestName))
        }
        guard name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw .badRequest("name must not have control characters")
        }
    }
}

/// The reason why a passkey was not added or did not sign in. Holds no text of the client.
package enum PasskeyRefusal: Error, Hashable, Sendable {
    case fault(PasskeyFault)
    /// No account has the passkey.
    case unknown
    case disabled
    /// The challenge has been used.
    case used
    /// The challenge has expired, or was made for another browser, account or purpose.
    case challenge
    /// An account has the passkey.
    case taken
    /// The account has ``Passkey/mostPerAccount`` passkeys.
    case tooMany

    /// One clause for logs and trails.
    package var reason: String {
        switch self {
        case .fault(let fault): fault.rawValue
        case .unknown: "no account has the passkey"
        case .disabled: "the account is disabled"
        case .used: "the challenge has been used"
        case .challenge: "the challenge has expired, or is of another browser, account or purpose"
        case .taken: "an account has the passkey already"
        case .tooMany: "the account has \(Passkey.mostPerAccount) passkeys"
        }
    }
}

extension SignInTicket {
    /// The ticket of a challenge, which is good for one answer.
    package init(challenge: [UInt8], expires: Timestamp) {
        self.init(id: "passkey " + Base64URL.encode(Array(SHA256.hash(data: challenge))), expires: expires)
    }

    /// Redeems the ticket of a challenge.
    func redeemChallenge(now: Timestamp, in db: SQLConnection) throws {
        do { try redeem(now: now, in: db) } catch let error as ServerError where error.code == .exists {
            throw PasskeyRefusal.used
        }
    }
}
