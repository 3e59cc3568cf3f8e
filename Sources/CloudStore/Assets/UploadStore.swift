package import CloudAssets
package import CloudModel
package import NIOCore

/// The assets of an environment: taken in, handed out, and dropped when nobody holds them.
package protocol UploadStore: Sendable {
    /// The description of an asset; nil when there is none of that content.
    func asset(_ key: AssetKey) async throws -> AssetDescription?

    /// The bytes of an asset; nil when they are gone.
    func open(_ asset: AssetKey) async throws -> (any AssetReading)?

    /// A small JPEG of an asset that is a picture; nil when none can be made.
    func preview(of asset: AssetKey, _ size: PreviewSize) async throws -> (any AssetReading)?

    /// Returns true if the upload URL has been used.
    func isUsed(_ upload: UploadTicket) async throws -> Bool

    /// - Parameters:
    ///   - owner: of the database that the upload is for.
    ///   - address: that it is to come from; nil for an operator's.
    /// - Throws: `QUOTA_EXCEEDED` when a user may not upload more until records hold what is uploaded, and when a quota
    ///   of assets is full; `THROTTLED` when nothing more may be uploaded from the address.
    func checkUploadRoom(of user: String, owner: String, from address: String?) async throws

    /// Takes in the bytes of an asset (reference B §8.2), with memory that does not grow with them.
    ///
    /// - Parameter address: that they come from; nil for an operator's.
    /// - Returns: the asset with its receipt.
    /// - Throws: ``AssetTooLarge`` past `limit` bytes, ``AssetStoreFull``, ``UploadUsed``; `QUOTA_EXCEEDED` and
    ///   `THROTTLED`; what `contents` throw.
    func upload<Contents: AsyncSequence & Sendable>(
        _ upload: UploadTicket, from address: String?, _ contents: Contents, limit: Int
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
}
