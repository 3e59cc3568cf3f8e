/// The progress of an export or an import.
package struct TransferProgress: Hashable, Sendable {
    /// The things being moved, as a noun in the plural: "records".
    package let what: String
    package let done: Int64
    package let total: Int64

    package init(what: String, done: Int64, total: Int64) {
        self.what = what
        self.done = done
        self.total = total
    }
}

/// Told often; what is worth showing is the caller's to decide.
package typealias ReportProgress = @Sendable (TransferProgress) -> Void
