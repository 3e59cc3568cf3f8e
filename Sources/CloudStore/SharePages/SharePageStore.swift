package import CloudModel

/// Reads shares and public records for the pages behind links.
package protocol SharePageStore: Sendable {
    /// Runs `body` with all its reads of this environment in one snapshot.
    ///
    /// Holds a connection until the end, so `body` must not wait long.
    func inOneSnapshot<T: Sendable>(_ body: @Sendable () async throws -> T) async throws -> T

    /// The share of a short GUID or a one-time link's token, without an access check; nil if there is none.
    func ownShare(_ handle: String) async throws -> OwnShare?

    /// Returns true if the share of a short GUID or a one-time link was stopped.
    func isStopped(_ handle: String) async throws -> Bool

    /// A page of the records visible through a share, without the share record, in order of creation, which changes keep.
    ///
    /// - Parameters:
    ///   - choice: the selected records; other records are not read.
    ///   - id: the `next` of the previous page; 0 for the first page.
    /// - Throws: the errors of ``share(_:as:)``.
    func shareRecords(
        _ handle: String, as viewer: Person?, _ choice: ShareChoice, after id: Int64, limit: Int
    ) async throws -> ShareRecordsPage

    /// A summary of the records visible through a share: their number and times of creation.
    ///
    /// - Parameters:
    ///   - choice: the counted records.
    ///   - limit: the largest number of counted records.
    /// - Throws: the errors of ``share(_:as:)``.
    func shareSummary(
        _ handle: String, as viewer: Person?, _ choice: ShareChoice, limit: Int
    ) async throws -> ShareSummary

    /// Shares of an owner, oldest first.
    ///
    /// - Parameter position: the `position` of the previous page's last share.
    func ownShares(owner: String, after position: Int64, limit: Int) async throws -> [OwnShare]

    /// The stored form of a record visible through a share; nil if the share does not show the record.
    ///
    /// - Throws: the errors of ``share(_:as:)``.
    func shareRecord(_ name: String, in handle: String, as viewer: Person?) async throws -> RecordBody?

    /// Notes the name of every public record of a type, so that share pages are found by record name.
    func notePublished(type: String) async throws

    /// Removes names without a record that were noted at least an hour ago.
    ///
    /// - Returns: the time of the next removal; nil if none is due before the environment's next use.
    func sweepPublishedNames(now: Timestamp) async throws -> Timestamp?
}
