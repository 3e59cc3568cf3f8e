import CloudSQL

/// A fault that keeps an environment's database, or the server, from being used, or soon will.
package struct StoreFault: Error, Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        /// The database file is not there, and has been.
        case missing
        /// The database file is there and has nothing in it, and has had.
        case empty
        /// Another file was put into its place while it was open.
        case replaced
        case damaged
        case diskFull
        case logTooLarge
        /// The contents of one asset are lost, wholly or in part.
        case brokenAsset
        /// The data folder is not there.
        case folderMissing
        /// The accounts' file is lost or cannot be read.
        case accounts
        /// A write to see whether one can be made was refused.
        case notWritable
        /// A later version of the program has written the database.
        case newer
        /// The database server does not answer.
        case database
        /// The store of assets cannot be used.
        case assets
        /// Anything else that the system says against reading or writing.
        case unusable
    }

    package let kind: Kind
    /// The facts for an operator, as the end of a sentence that begins with the environment.
    package let reason: String

    package init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    /// True if the path leads to no file or to another one.
    var isLoss: Bool { kind == .missing || kind == .replaced }

    static let missing = StoreFault(.missing, "has lost its database file")
    static let empty = StoreFault(.empty, "has an empty database file where there was data")
    static let replaced = StoreFault(
        .replaced, "has another database file than the one that is open; stop the server before you put back a copy")
    static let damaged = StoreFault(.damaged, "has a damaged database; restore a copy")

    init(_ newer: NewerDatabase) {
        self.init(.newer, "cannot be used, since \(newer.name) \(newer.reason)")
    }

    /// Nil for an error that says nothing about the disk or the file.
    init?(_ error: any Error) {
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
