/// The parts of schema changes and of large deletions that are made at once, and the pace of the rest beside other writes.
package struct BuildPace: Sendable {
    /// Records of a type whose bodies are gone through in the change's own transaction.
    package var mostDerivedAtOnce = 1_000
    /// Records of a type that an index is made over in the change's own transaction: an entry costs a tenth of that.
    package var mostIndexedAtOnce = 10_000
    /// Records that one request deletes, beside those that it names. What hangs on these beyond that is deleted later.
    package var mostDeletedAtOnce = 1_000
    /// Records in one write of a build, at most.
    package var batch = 5_000
    /// The time that one write of a build takes, about, while others write too. A pause for them as long as the write took
    /// with its commit follows it.
    package var slice = Duration.milliseconds(2)
    /// The time that one takes while nobody else writes.
    package var idleSlice = Duration.milliseconds(100)
    /// The time that a query waits for an index, or for its turn to look at every record without it.
    package var patience = Duration.seconds(10)
    /// Awaited before each of those writes.
    package var pause: @Sendable () async -> Void = {}

    package init() {}
}
