/// A step that an export or an import has just brought to disk: whoever is killed later goes on from there.
enum TransferStep: Hashable, Sendable {
    /// The copy that an export is taken from, and the manifest that says so.
    case copy, manifest
    /// The contents of an export's assets.
    case assets
    /// A file of lines, written or taken in.
    case file(String)
    /// An export is complete; what was needed on the way is not gone yet.
    case complete
    /// The accounts of an import's users.
    case users
    /// An import is whole, and not in its place yet.
    case whole
    /// An import is in its place, and what it replaced not gone yet.
    case place
    /// Nothing is left of the way there.
    case end
}

/// Told of each step.
typealias ReachedStep = @Sendable (TransferStep) -> Void
