package import CloudModel

extension ServerError {
    /// The error for a statement on a table that a schema change dropped after the transaction began.
    package static let tableGone = ServerError(
        .tryAgainLater, "a table has gone, as when a schema change drops it; try again", .server(.database),
        retryAfter: 1)

    package var isTableGone: Bool { sentence.text == Self.tableGone.sentence.text }
}
