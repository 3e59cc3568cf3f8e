import CloudStore

/// A durable step of an export or import; an interrupted transfer resumes after the last step.
enum TransferStep: Hashable, Sendable {
    /// The snapshot of an export, and its first manifest.
    case copy, manifest
    /// The asset contents of an export.
    case assets
    /// A file of lines, exported or imported.
    case file(String)
    /// The export is complete; its snapshot and lock remain.
    case complete
    /// The accounts of an import's users.
    case users
    /// The staged environment is complete, and not yet moved into place.
    case whole
    /// The import is in place; the replaced assets remain.
    case place
    /// All temporary files are removed.
    case end
}

/// Called after each step.
typealias ReachedStep = @Sendable (TransferStep) -> Void
