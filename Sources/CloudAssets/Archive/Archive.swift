/// File storage outside the data folder: a folder or part of a bucket.
///
/// Names are paths of letters, digits, `.`, `_` and `-`. Files appear under their names only when complete.
package protocol Archive: Sendable {
    /// The storage place, in an operator's terms.
    var place: String { get }

    /// A local folder for incoming files, on the archive's own disk if it has one.
    var scratch: String { get }

    /// Prepares the archive for writing and deletes incomplete files of killed programs.
    ///
    /// - Returns: a lock against other programs, held until released.
    func prepare() async throws -> any ArchiveTurn

    /// A file's path, whether or not the file exists; nil if the archive is not a local folder.
    func local(_ name: String) -> String?

    /// Opens a file for reading; nil for a missing file.
    func open(_ name: String) async throws -> (any AssetReading)?

    /// Moves a file from the scratch folder into the archive, replacing any file of the same name.
    ///
    /// - Parameter sha256: the file's checksum.
    func take(_ path: String, as name: String, sha256: [UInt8]) async throws

    /// File names in a folder with their sizes; empty if the folder does not exist.
    func files(in folder: String) async throws -> [String: Int64]

    /// The names of a folder's subfolders.
    func folders(in folder: String) async throws -> [String]

    func delete(_ name: String) async throws

    /// Deletes a folder and its contents.
    func remove(folder: String) async throws
}

/// The exclusive right to write to an archive. A crash of the process releases the right.
package protocol ArchiveTurn: Sendable {
    func release()
}

/// The reason why an archive is unusable, with a remedy.
package struct ArchiveFault: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
