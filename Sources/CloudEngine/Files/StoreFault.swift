import CloudSQL

/// A fault that stops, or will soon stop, the use of an environment's database or of the server.
package struct StoreFault: Error, Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        /// A known database file is missing.
        case missing
        /// A known database file is empty.
        case empty
        /// The path leads to another file than the open database.
        case replaced
        case damaged
        case diskFull
        case logTooLarge
        /// The contents of one asset are lost or truncated.
        case brokenAsset
        /// The data folder is missing.
        case folderMissing
        /// The accounts database is lost or unreadable.
        case accounts
        /// A test write failed.
        case notWritable
        /// A later program version has written the database.
        case newer
        /// The database server does not answer.
        case database
        /// The asset store is unavailable.
        case assets
        /// Any other system error on reading or writing.
        case unusable
    }

    package let kind: Kind
    /// A sentence for operators, without its subject, the environment.
    package let reason: String

    package init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    /// True if the path leads to no file, or to another file than the open database.
    var isLoss: Bool { kind == .missing || kind == .replaced }

    package static let missing = StoreFault(.missing, "has lost its database file")
    package static let empty = StoreFault(.empty, "has an empty database file where there was data")
    static let replaced = StoreFault(
        .replaced, "has another database file than the one that is open; stop the server before you put back a copy")
    static let damaged = StoreFault(.damaged, "has a damaged database; restore a copy")

    package init(_ newer: NewerDatabase) {
        self.init(.newer, "cannot be used, since \(newer.name) \(newer.reason)")
    }

    /// Nil for errors unrelated to the disk or the database file.
    package init?(_ error: any Error) {
        if let newer = error as? NewerDatabase {
            self.init(newer)
            return
        }
        guard let error = error as? SQLError else { return nil }
        switch error.kind {
        case .damaged: self = .damaged
        case .full: self.init(.diskFull, "cannot be written, because the disk is full")
        case .unusable:
            self.init(.unusable, "cannot be read or written: \(error.message)")
        default: return nil
        }
    }
}
