/// The place of the assets of all environments, those of each in a folder of its own.
package protocol AssetBackend: Sendable {
    /// The place as an operator knows it.
    var place: String { get }

    /// The store over one folder, which is made when something is put into it.
    ///
    /// - Parameter slots: for the files that are open at a time.
    func store(folder: String, slots: FileSlots) -> any AssetStore

    /// Names of folders that hold something, and perhaps of some that did.
    func folders(beginningWith prefix: String) async throws -> [String]

    /// Gives another folder contents of this one under the same names. Those that are gone are left out.
    func copy(_ files: [AssetFile], from folder: String, to target: String) async throws

    /// Drops a folder with all that is in it.
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
