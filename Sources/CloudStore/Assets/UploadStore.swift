package import CloudAssets
package import CloudModel
package import NIOCore

/// Uploads, serves and collects the assets of an environment.
package protocol UploadStore: Sendable {
    /// The description of an asset; nil if no such asset is stored.
    func asset(_ key: AssetKey) async throws -> AssetDescription?

    /// The contents of an asset; nil if they are lost.
    func open(_ asset: AssetKey) async throws -> (any AssetReading)?

    /// A small JPEG of a picture asset; nil if no preview can be made.
    func preview(of asset: AssetKey, _ size: PreviewSize) async throws -> (any AssetReading)?

    /// Returns true if the upload URL has been used.
    func isUsed(_ upload: UploadTicket) async throws -> Bool

    /// - Parameters:
    ///   - owner: the owner of the upload's database.
    ///   - address: the client's address; nil for an operator.
    /// - Throws: `QUOTA_EXCEEDED` when the user's unclaimed uploads reach their limit, or an asset quota is full;
    ///   `THROTTLED` when the address reaches its limit.
    func checkUploadRoom(of user: String, owner: String, from address: String?) async throws

    /// Stores the contents of an asset in bounded memory (reference B §8.2).
    ///
    /// - Parameter address: the client's address; nil for an operator.
    /// - Returns: the asset with its receipt.
    /// - Throws: ``AssetTooLarge`` past `limit` bytes, ``AssetStoreFull``, ``UploadUsed``; `QUOTA_EXCEEDED` and
    ///   `THROTTLED`; errors of `contents`.
    func upload<Contents: AsyncSequence & Sendable>(
        _ upload: UploadTicket, from address: String?, _ contents: Contents, limit: Int
    ) async throws -> Asset where Contents.Element == ByteBuffer

    /// New receipts for stored assets; nil for a missing asset (reference B §8.5).
    ///
    /// - Parameters:
    ///   - owner: the owner of the database that accepts the receipts.
    ///   - user: the user who may use the receipts.
    func rereference(_ keys: [AssetKey?], owner: String, user: String) async throws -> [Asset?]

    /// Deletes assets without a record and without a valid receipt; returns their number.
    func collectAssets() async throws -> Int

    /// Deletes contents without an asset row, left by a crash.
    func sweepAssets() async throws
}
