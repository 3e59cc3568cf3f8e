import CloudAccounts
import CloudEngine
import CloudModel
import Foundation
import CloudSQL

/// Connects an export's users to accounts with the same identities or email addresses, and creates missing accounts.
///
/// A record name identifies an account within one container; all of a user's data is stored under the record name.
struct ImportedUsers: Sendable {
    let accounts: AccountStore
    let container: Container

    private static let file = "users.jsonl"
    private static let keys: Set<String> = [
        "userRecordName", "email", "emailVerified", "givenName", "familyName", "phone", "disabled", "identities",
    ]

    private struct User: Sendable {
        let recordName: String
        /// Nil for a person who came by a provider.
        let email: String?
        let isVerified: Bool
        let givenName: String?
        let familyName: String?
        let phone: String?
        let isDisabled: Bool
        let identities: [ImportedIdentity]

        /// For messages.
        var name: String { email ?? recordName }

        init(_ line: TransferLine) throws {
            try line.allow(ImportedUsers.keys)
            recordName = try line.text("userRecordName")
            email = try line.text(optional: "email").map { try EmailAddress.checkKept($0) }
            isVerified = try line.flag("emailVerified")
            givenName = try line.text(optional: "givenName")
            familyName = try line.text(optional: "familyName")
            phone = try line.text(optional: "phone").map { try PhoneNumber.check($0) }
            isDisabled = try line.flag("disabled")
            identities =
                line.members["identities"] == nil ? [] : try line.objects("identities").map { try ImportedIdentity($0) }
            guard email != nil || !isVerified else {
                throw TransferLine.Fault(reason: "'emailVerified' is true without an 'email'")
            }
        }
    }

    /// Connects all users in one transaction; repeating the call changes nothing.
    ///
    /// - Throws: ``TransferFault``, leaving the accounts unchanged, when an account already has another record name, or
    ///   lines are too few, too many or duplicated.
    func connect(
        _ folder: ExportFolder, _ manifest: ExportManifest, _ report: @escaping ReportProgress
    ) async throws {
        let total = manifest.count(.users)
        try await accounts.database.pool.write { [created = accounts.now()] db in
            try db.script("CREATE TEMP TABLE imported_users (name TEXT PRIMARY KEY) /*!WITHOUT ROWID*/")
            let reader = try LineReader(Self.file, in: folder)
            while let line = try reader.next() {
                do {
                    let user = try User(TransferLine(line))
                    try db.run("INSERT INTO imported_users VALUES (?)", .text(user.recordName))
                    try connect(user, created, db)
                } catch { throw Self.named(error, line: reader.line) }
                report(TransferProgress(what: "users", done: Int64(reader.line), total: total))
            }
            guard reader.line == total else {
                throw TransferFault(
                    "the export says it has \(total) users, and \(reader.line) came; nothing was imported")
            }
            try db.script("DROP TABLE imported_users")
        }
    }

    private static func named(_ error: any Error, line: Int) -> any Error {
        switch error {
        case let fault as TransferLine.Fault: TransferFault(file: file, line: line, fault.reason)
        case let error as ServerError: TransferFault(file: file, line: line, error.reason)
        case let error as SQLError where error.kind == .constraint:
            TransferFault(file: file, line: line, "a user like it exists already")
        default: error
        }
    }

    private func connect(_ user: User, _ created: Timestamp, _ db: SQLConnection) throws {
        let account =
            try account(of: user, db)
            ?? UserAccounts.insertAccount(
                email: user.email, givenName: user.givenName, familyName: user.familyName, phone: user.phone,
                verified: user.isVerified, disabled: user.isDisabled, created: created, in: db
            ).id
        try db.run(
            "INSERT INTO userRecord (container, recordName, account) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            .integer(container.id), .text(user.recordName), .integer(account))
        for identity in user.identities { try identity.connect(account, now: created, db) }
    }

    /// The existing account of a user; nil if there is none yet.
    private func account(of user: User, _ db: SQLConnection) throws -> Int64? {
        let byIdentity = try ImportedIdentity.account(of: user.identities, user: user.recordName, db)
            .flatMap { try UserAccount.find(id: $0, in: db) }
        let byAddress = try user.email.flatMap { try UserAccount.find(email: $0, in: db) }
        if let byIdentity, let byAddress, byIdentity.id != byAddress.id {
            throw TransferFault("the identities of \(user.recordName) and \(user.name) belong to two accounts here")
        }
        let holder = try db.first(
            "SELECT account FROM userRecord WHERE container = ? AND recordName = ?", .integer(container.id),
            .text(user.recordName)
        ) { $0.integer(0) }
        // A person without an address and identities is known by the record name alone.
        let isNameless = user.email == nil && user.identities.isEmpty
        let byRecordName = try isNameless ? holder.flatMap { try UserAccount.find(id: $0, in: db) } : nil
        if let byRecordName, byRecordName.email != nil {
            throw TransferFault("\(user.recordName) is another account's in \(container.name)")
        }
        let known = byIdentity ?? byAddress ?? byRecordName
        if byIdentity == nil, let known, user.isVerified, !known.emailVerified {
            throw TransferFault(
                "user '\(user.name)' has an account here whose address nobody has confirmed, so it may be "
                    + "somebody else's; delete or confirm it first")
        }
        if let holder, holder != known?.id {
            throw TransferFault("\(user.recordName) is another account's in \(container.name), not \(user.name)'s")
        }
        let name = try db.first(
            "SELECT recordName FROM userRecord WHERE container = ? AND account = ?", .integer(container.id),
            .integer(optional: known?.id)
        ) { $0.text(0) }
        if let name, name != user.recordName {
            throw TransferFault(
                "\(user.name) is \(name) in \(container.name) already, and \(user.recordName) in the export; "
                    + "import into another container")
        }
        return known?.id
    }
}
