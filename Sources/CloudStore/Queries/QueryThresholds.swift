/// Numbers of matches that make a query go another way to the same answer.
package struct QueryThresholds: Equatable, Sendable {
    /// Fewer matches than this are looked at one by one and sorted; where there are more, the records are walked in the
    /// order that is asked for. Counting stops here: enough to tell a few from many, and a fraction of a millisecond.
    package var fewMatches = 2_000
    /// Fewer visible records than this are looked at one by one. Many are looked for in an index of the type, which
    /// then holds mostly what is visible.
    package var fewVisible = 5_000

    package init() {}
}
