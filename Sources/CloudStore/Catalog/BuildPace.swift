/// What of a schema change is made at once, and how the rest goes on beside other writes.
package struct BuildPace: Sendable {
    /// Records of a type whose bodies are gone through in the change's own transaction.
    package var mostDerivedAtOnce = 1_000
    /// Records of a type that an index is made over in the change's own transaction: an entry costs a tenth of that.
    package var mostIndexedAtOnce = 10_000
    /// Records in one write of a build, at most.
    package var batch = 5_000
    /// How long one write of a build lasts, about, while others write too; the rest that they have until the next.
    package var slice = Duration.milliseconds(10)
    /// How long one lasts while nobody else writes.
    package var idleSlice = Duration.milliseconds(100)
    /// Awaited before each of those writes.
    package var pause: @Sendable () async -> Void = {}

    package init() {}
}
