package import CloudModel
package import NIOCore

/// The records of one environment of a container: all its databases, zones and change feeds.
///
/// Everything is in terms of the model; what is behind it (SQLite today) does not show. Errors that are a caller's
/// to fix are `ServerError`s. A write that returns is on disk.
package protocol RecordStore: SharePageStore, SubscriptionStore, NotificationStore, KeyValueStore,
    SchemaStore, RoleStore
{
    /// The schema as of the last commit.
    var catalog: Catalog { get }

    /// records/modify: outcomes in the order of the operations (reference A §4).
    func modify(_ request: ModifyRequest) async throws -> ModifyResult

    /// records/lookup: stored forms, or refusals, in the order asked for (reference A §6).
    func lookup(_ request: LookupRequest) async throws -> [Result<[UInt8], ServerError>]

    /// records/query: one page (reference A §5).
    func query(_ request: QueryRequest) async throws -> QueryPage

    /// The changes of one zone since a token (reference A §8.2).
    func changes(_ request: ZoneChangesRequest) async throws -> ZoneChangesPage

    /// The zones changed since a token in the private database of `owner` (reference A §8.4).
    func changedZones(owner: String, syncToken: String?, limit: Int) async throws -> DatabaseChangesPage

    /// The same for what others share with a user (reference B §9.9).
    func changedZones(sharedWith user: String, syncToken: String?, limit: Int) async throws -> DatabaseChangesPage

    /// All zones of an owner (reference A §7.1).
    func zones(owner: String) async throws -> [ZoneState]

    /// All zones of others that a user sees something of (reference B §9.9).
    func zones(sharedWith user: String) async throws -> [ZoneState]

    /// Each of these zones, nil for one that does not exist for the caller (reference A §7.2).
    func zones(_ zones: [ZoneID], for caller: Caller) async throws -> [ZoneState?]

    /// Makes and deletes zones; nil for a deleted one (reference A §7.3).
    func modify(
        _ operations: [ZoneOperation], by requester: Requester, limits: Limits
    ) async throws -> [Result<ZoneState?, ServerError>]

    /// Takes a user out of every share of each of these zones of others (reference B §9.5).
    ///
    /// - Parameter clientID: what the client they do it with calls itself; it is not told.
    /// - Returns: whether there was any, in the zones' order.
    func leave(_ zones: [ZoneID], as user: String, clientID: String?, limits: Limits) async throws -> [Bool]

    /// What a share's short GUID, or the token of a one-time link, leads to, as a person or nobody in particular
    /// sees it now (reference B §9.6).
    ///
    /// - Throws: `NOT_FOUND` where the viewer may not know of the share, `ACCESS_DENIED` where they may know and no more.
    func share(_ handle: String, as viewer: Person?) async throws -> ShareMetadata

    /// Makes a person a member of a share (reference B §9.7). Its owner, and who is one already, change nothing.
    ///
    /// - Parameter clientID: what the client they do it with calls itself; it is not told.
    /// - Throws: `NOT_FOUND` or `ACCESS_DENIED`, as ``share(_:as:)`` does.
    func acceptShare(
        _ handle: String, as person: Person, clientID: String?, limits: Limits
    ) async throws -> ShareMetadata

    /// Notes that a person asks to be let in (reference B §9.10).
    ///
    /// - Throws: `NOT_FOUND` where the person may not know of the share.
    func requestAccess(toShare handle: String, as person: Person, limits: Limits) async throws

    /// Stops a share when its owner says so, and leaves it when a member does (reference B §9.9).
    ///
    /// - Throws: `NOT_FOUND` for everybody else.
    func endShare(_ handle: String, as person: Person, limits: Limits) async throws

    /// A page of what is visible through a share, the share record itself left out, oldest change first.
    ///
    /// - Parameter position: where the page before ended.
    /// - Throws: as ``share(_:as:)`` does.
    func shareRecords(
        _ handle: String, as viewer: Person?, after position: Int64, limit: Int
    ) async throws -> ShareRecordsPage

    /// Sees to it that the user's own record exists (reference B §5.0).
    func ensureUser(_ recordName: String) async throws

    /// What an owner stores; nil means everybody together.
    func usage(owner: String?) async throws -> Usage

    /// What is known of an asset; nil when there is none of that content.
    func asset(_ key: AssetKey) async throws -> AssetDescription?

    /// The bytes of an asset; nil when they are gone.
    func open(_ asset: AssetKey) async throws -> AssetReader?

    /// A small JPEG of an asset that is a picture; nil when none can be made.
    func preview(of asset: AssetKey, _ size: PreviewSize) async throws -> AssetReader?

    /// Whether an upload URL has done its one upload.
    func isUsed(_ upload: UploadTicket) async throws -> Bool

    /// Takes in the bytes of an asset (reference B §8.2), with memory that does not grow with them.
    ///
    /// - Returns: the asset with its receipt.
    /// - Throws: ``AssetTooLarge`` past `limit` bytes, ``AssetStoreFull``, ``UploadUsed``; what `contents` throw.
    func upload<Contents: AsyncSequence & Sendable>(
        _ upload: UploadTicket, _ contents: Contents, limit: Int
    ) async throws -> Asset where Contents.Element == ByteBuffer

    /// A receipt for each of these stored assets, nil for one that is gone (reference B §8.5).
    ///
    /// - Parameters:
    ///   - owner: of the database the receipts are good in.
    ///   - user: who may use them.
    func rereference(_ keys: [AssetKey?], owner: String, user: String) async throws -> [Asset?]

    /// Drops assets that no record holds and nobody can claim any more; answers how many.
    func collectAssets() async throws -> Int

    /// Drops bytes that belong to no asset, as a crash may leave them.
    func sweepAssets() async throws

    /// Lets go of the files. No call may follow.
    func close() async throws
}
