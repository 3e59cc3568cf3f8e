import CloudCrypto
import Foundation

/// The identity of the export that an import is of: two with the same manifest and the same schema are one.
struct ImportIdentity: Hashable, Sendable {
    let digest: [UInt8]

    /// - Throws: ``TransferFault`` when one of the two files is not there.
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
