import CloudAccounts
import CloudModel
import CloudSQL
import CloudStore

/// A person at a provider, connected to a user of an export.
struct ImportedIdentity: Sendable {
    let provider: String
    let issuer: String
    let subject: String

    init(_ line: TransferLine) throws(TransferLine.Fault) {
        try line.allow(["provider", "issuer", "subject"])
        (provider, issuer, subject) = (try line.text("provider"), try line.text("issuer"), try line.text("subject"))
    }

    /// The account that the identities are connected to here; nil for none.
    ///
    /// - Throws: ``TransferFault`` for identities of several accounts.
    static func account(of identities: [ImportedIdentity], user: String, _ db: SQLConnection) throws -> Int64? {
        let found = Set(
            try identities.compactMap {
                try PersonIdentity.find(issuer: $0.issuer, subject: $0.subject, in: db)?.account
            })
        guard found.count < 2 else { throw TransferFault("the identities of \(user) belong to several accounts here") }
        return found.first
    }

    /// Connects the identity, unless it is connected.
    func connect(_ account: Int64, now: Timestamp, _ db: SQLConnection) throws {
        guard try PersonIdentity.find(issuer: issuer, subject: subject, in: db) == nil else { return }
        try PersonIdentity.insert(
            issuer: issuer, subject: subject, provider: provider, email: nil, account: account, now: now, in: db)
    }
}
