/// The order of a transaction's deferred statements.
package enum WriteRank {
    /// Rows of records, to which all others refer.
    package static let record = 0
    /// Rows removed from the location index, found through rows that are removed after them.
    package static let tree = 1
    /// Removed rows beside records.
    package static let removal = 2
    /// New rows beside records.
    package static let beside = 3
    /// Rows of records deleted without a tombstone, after all rows that refer to them.
    package static let departure = 4
    /// Rows written once per group of requests.
    package static let group = 5
}
