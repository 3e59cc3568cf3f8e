import CloudCrypto
import CloudStore
import Foundation

/// The identity of an export: a digest of its manifest and schema.
struct ImportIdentity: Hashable, Sendable {
    let digest: [UInt8]

    /// - Throws: ``TransferFault`` when either file is missing.
    init(of folder: ExportFolder) throws {
        var hash = SHA256()
        for name in [ExportFolder.manifest, ExportFolder.schema] {
            guard let data = FileManager.default.contents(atPath: folder.path(name)) else {
                throw TransferFault("\(folder.path(name)) is not there")
            }
            hash.update(data: SHA256.hash(data: data).map(\.self))
        }
        digest = Array(hash.finalize())
    }
}
