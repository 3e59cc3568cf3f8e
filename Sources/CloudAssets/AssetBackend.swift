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

    /// Drops a folder with all that is in it.
    func remove(folder: String) async throws
}
