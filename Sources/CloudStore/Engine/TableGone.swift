package import CloudModel

extension ServerError {
    /// The error of a statement that names a table which a schema change has dropped since its transaction began.
    package static let tableGone = ServerError(
        .tryAgainLater, "a table has gone, as when a schema change drops it; try again", .server(.database),
        retryAfter: 1)

    package var isTableGone: Bool { sentence.text == Self.tableGone.sentence.text }
}
