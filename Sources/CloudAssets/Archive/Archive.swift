/// A place for files apart from the data folder: a folder or a part of a bucket.
///
/// Names are paths of letters, digits, `.`, `_` and `-`. A file is whole under its name or not there.
package protocol Archive: Sendable {
    /// The place as an operator knows it.
    var place: String { get }

    /// A folder of this machine for files on their way in, on the disk of the archive where it has one.
    var scratch: String { get }

    /// Makes the archive ready to take files in, and drops what was on its way when a program was killed.
    ///
    /// - Returns: what keeps other programs out until it is let go of.
    func prepare() async throws -> any ArchiveTurn

    /// The path of a file, which may not be there; nil where the archive is no folder of this machine.
    func local(_ name: String) -> String?

    /// Opens a file for reading; nil when there is none.
    func open(_ name: String) async throws -> (any AssetReading)?

    /// Moves a file of the scratch folder in, in place of one that has the name.
    ///
    /// - Parameter sha256: of the file.
    func take(_ path: String, as name: String, sha256: [UInt8]) async throws

    /// The files of a folder, with their sizes; none when there is no such folder.
    func files(in folder: String) async throws -> [String: Int64]

    /// The names of the folders of a folder.
    func folders(in folder: String) async throws -> [String]

    func delete(_ name: String) async throws

    /// Drops a folder with all that is in it.
    func remove(folder: String) async throws
}

/// The right to write to an archive. It ends with the process, however that ends.
package protocol ArchiveTurn: Sendable {
    func release()
}

/// The reason why an archive cannot be used, in a sentence with its remedy.
package struct ArchiveFault: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
