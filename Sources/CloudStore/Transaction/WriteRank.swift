/// The order in which deferred statements of one transaction run.
package enum WriteRank {
    /// Rows of records, which all others refer to.
    package static let record = 0
    /// Rows that go out of the tree of places, found by rows that go after them.
    package static let tree = 1
    /// Rows kept beside a record until now.
    package static let removal = 2
    /// Rows kept beside it from now on.
    package static let beside = 3
    /// Rows of records that leave nothing, once nothing refers to them.
    package static let departure = 4
    /// What is written once for a group of requests.
    package static let group = 5
}
