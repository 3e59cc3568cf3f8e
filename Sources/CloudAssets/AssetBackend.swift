/// The storage of all environments' assets, a folder per environment.
package protocol AssetBackend: Sendable {
    /// The place as an operator knows it.
    var place: String { get }

    /// The store over a folder, which the first upload creates.
    ///
    /// - Parameter slots: limits the number of open files.
    func store(folder: String, slots: FileSlots) -> any AssetStore

    /// Names of folders that hold something, and perhaps of some that did.
    func folders(beginningWith prefix: String) async throws -> [String]

    /// Copies files from one folder to another under their own names; missing files are skipped.
    func copy(_ files: [AssetFile], from folder: String, to target: String) async throws

    /// Deletes a folder and its contents.
    func remove(folder: String) async throws

    /// Writes, reads and deletes something, as uploads and downloads do.
    ///
    /// - Throws: ``AssetFault`` when one of them fails.
    func tryOut() async throws

    /// Asks for something that is not there, which costs less than ``tryOut()``.
    ///
    /// - Throws: ``AssetFault`` when that is not what the answer says.
    func look() async throws

    /// The number of times that something could not be done for others.
    var failures: Int { get }
}

extension AssetBackend {
    package var failures: Int { 0 }
}

/// The reason why a place of assets cannot be used, for its operator.
package struct AssetFault: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
