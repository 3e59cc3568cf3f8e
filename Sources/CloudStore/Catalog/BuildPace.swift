/// Limits on immediate work for schema changes and large deletions, and the pace of background work.
package struct BuildPace: Sendable {
    /// The most records of a type to re-derive from their bodies in the change's own transaction.
    package var mostDerivedAtOnce = 1_000
    /// The most records of a type to index in the change's own transaction; an index entry costs a tenth of a
    /// derivation.
    package var mostIndexedAtOnce = 10_000
    /// The most implied deletions in one request; further dependents are deleted in the background.
    package var mostDeletedAtOnce = 1_000
    /// The most records per background write.
    package var batch = 5_000
    /// The approximate duration of a background write while clients also write. A pause of equal length follows,
    /// measured with the commit.
    package var slice = Duration.milliseconds(2)
    /// The approximate duration of a background write while clients do not write.
    package var idleSlice = Duration.milliseconds(100)
    /// The time that a query waits for an index, or for its turn to scan all records.
    package var patience = Duration.seconds(10)
    /// Awaited before each background write.
    package var pause: @Sendable () async -> Void = {}

    package init() {}
}
