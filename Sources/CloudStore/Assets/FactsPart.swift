import CloudSQL

/// Tells after a commit that records came to hold assets.
final class FactsPart: TransactionPart {
    private let onAssets: @Sendable () -> Void
    /// True after a record came to hold an asset. A request that is undone asks in vain.
    var isWanted = false

    init(_ onAssets: @escaping @Sendable () -> Void) { self.onAssets = onAssets }

    func begin() {}
    func undo() {}
    func keep() {}

    func committed() {
        if isWanted { onAssets() }
        isWanted = false
    }

    func lost(_ db: SQLConnection) { isWanted = false }
}
