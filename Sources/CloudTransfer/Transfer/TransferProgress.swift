import CloudStore

/// The progress of an export, an import, a backup or a restore.
package struct TransferProgress: Hashable, Sendable {
    /// A plural noun for the things being moved: "records".
    package let what: String
    package let done: Int64
    package let total: Int64

    package init(what: String, done: Int64, total: Int64) {
        self.what = what
        self.done = done
        self.total = total
    }
}

/// Called often; the receiver decides which reports to show.
package typealias ReportProgress = @Sendable (TransferProgress) -> Void
