package import CloudModel

/// Functions of a record store for the pages behind links: shares by their handles.
package protocol SharePageStore: Sendable {
    /// Runs `body`, whose reads of this environment all see it at one moment.
    ///
    /// A connection is held until the end, so `body` must wait for nothing that takes long.
    func inOneSnapshot<T: Sendable>(_ body: @Sendable () async throws -> T) async throws -> T

    /// The share behind a short GUID or the token of a one-time link, whoever may see it; nil when there is none.
    func ownShare(_ handle: String) async throws -> OwnShare?

    /// Returns true if the share behind a short GUID or a one-time link was stopped.
    func isStopped(_ handle: String) async throws -> Bool

    /// A page of what is visible through a share, the share record itself left out, in the order in which it was made:
    /// changes move nothing.
    ///
    /// - Parameters:
    ///   - choice: the records that are asked for; others are not read.
    ///   - id: where the page before ended.
    /// - Throws: as ``share(_:as:)`` does.
    func shareRecords(
        _ handle: String, as viewer: Person?, _ choice: ShareChoice, after id: Int64, limit: Int
    ) async throws -> ShareRecordsPage

    /// The summary of what is visible through a share: the amount, and the times when it was made.
    ///
    /// - Parameters:
    ///   - choice: the records that count.
    ///   - limit: records that are counted at most.
    /// - Throws: as ``share(_:as:)`` does.
    func shareSummary(
        _ handle: String, as viewer: Person?, _ choice: ShareChoice, limit: Int
    ) async throws -> ShareSummary

    /// The shares of an owner, the oldest first.
    ///
    /// - Parameter position: of the last one of the page before.
    func ownShares(owner: String, after position: Int64, limit: Int) async throws -> [OwnShare]

    /// One record that is visible through a share, its stored form; nil when it is not.
    ///
    /// - Throws: as ``share(_:as:)`` does.
    func shareRecord(_ name: String, in handle: String, as viewer: Person?) async throws -> RecordBody?

    /// Notes the name of every public record of a type, so that its page is found by it.
    func notePublished(type: String) async throws

    /// Takes away names that were noted an hour ago or longer and have no record any more.
    ///
    /// - Returns: when there will be more to take away; nil when not before the environment is used.
    func sweepPublishedNames(now: Timestamp) async throws -> Timestamp?
}
