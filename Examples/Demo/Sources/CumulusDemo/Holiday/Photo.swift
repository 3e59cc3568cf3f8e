import Foundation

/// A picture to share, as it lies on the sender's disk.
struct Photo: Sendable {
    let name: String
    let bytes: Data

    /// Every JPEG of a folder, by name.
    ///
    /// - Throws: ``Mismatch`` when there is none.
    static func read(folder: String) throws -> [Photo] {
        let files = try FileManager.default.contentsOfDirectory(
            at: URL(filePath: folder), includingPropertiesForKeys: nil)
        let photos = try files.filter { $0.pathExtension == "jpg" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
            .map { Photo(name: $0.lastPathComponent, bytes: try Data(contentsOf: $0)) }
        guard !photos.isEmpty else {
            throw Mismatch(what: "looking for pictures in \(folder)", expected: "at least one .jpg", got: "none")
        }
        return photos
    }
}
