/// What of a schema change is made at once, and how the rest goes on beside other writes.
package struct BuildPace: Sendable {
    /// Records of a type whose bodies are gone through in the change's own transaction.
    package var mostDerivedAtOnce = 1_000
    /// Records of a type that an index is made over in the change's own transaction: an entry costs a tenth of that.
    package var mostIndexedAtOnce = 10_000
    /// Records in one write of a build.
    package var batch = 500
    /// Awaited before each of those writes.
    package var pause: @Sendable () async -> Void = {}

    package init() {}
}
