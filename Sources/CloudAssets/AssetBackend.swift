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
}
