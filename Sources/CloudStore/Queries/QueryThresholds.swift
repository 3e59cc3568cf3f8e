/// Limits at which a query's plan changes; the answer stays the same.
package struct QueryThresholds: Equatable, Sendable {
    /// Below this number, matches are read one by one and sorted; above, the records are walked in sort order. Counting stops
    /// here, which takes a fraction of a millisecond.
    package var fewMatches = 2_000
    /// Below this number, visible records are read one by one; above, an index of the type is searched, whose records are
    /// then mostly visible.
    package var fewVisible = 5_000

    package init() {}
}
