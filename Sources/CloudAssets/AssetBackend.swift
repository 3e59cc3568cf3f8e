/// The storage of all environments' assets, a folder per environment.
package protocol AssetBackend: Sendable {
    /// The storage place, in an operator's terms.
    var place: String { get }

    /// The store over a folder, which the first upload creates.
    ///
    /// - Parameter slots: limits the number of open files.
    func store(folder: String, slots: FileSlots) -> any AssetStore

    /// Names of folders with files; emptied folders may be included.
    func folders(beginningWith prefix: String) async throws -> [String]

    /// Copies files from one folder to another under their own names; missing files are skipped.
    func copy(_ files: [AssetFile], from folder: String, to target: String) async throws

    /// Deletes a folder and its contents.
    func remove(folder: String) async throws

    /// Writes, reads and deletes a test file in the way of uploads and downloads.
    ///
    /// - Throws: ``AssetFault`` if a step fails.
    func tryOut() async throws

    /// Requests a missing file; cheaper than ``tryOut()``.
    ///
    /// - Throws: ``AssetFault`` for any answer other than its absence.
    func look() async throws

    /// The number of failed operations so far.
    var failures: Int { get }
}

extension AssetBackend {
    package var failures: Int { 0 }
}

/// An unusable asset storage: the reason, for operators.
package struct AssetFault: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
