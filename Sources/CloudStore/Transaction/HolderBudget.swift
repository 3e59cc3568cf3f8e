/// The remaining reading of a search for holders: rows, and statements that climb one level each.
struct HolderBudget {
    var rows: Int
    var levels: Int

    /// The budget for a request's deletions, or for a single record of a cascade.
    static let request = HolderBudget(rows: 10_000, levels: 500)
    /// The budget for one cascade step.
    static let chunk = HolderBudget(rows: 2_000, levels: 50)
}
