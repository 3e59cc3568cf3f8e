import CloudAssets
import CloudHTTP
import CloudMedia
import CloudModel
import CloudStore

/// A page's file with the visitor's rights to it.
struct OfferedFile: Sendable {
    let page: SharedPage
    let file: PageFile

    /// False for a picture or video that may tell the visitor its place in bytes that were not found.
    var isGiven: Bool { page.showsPlaces || file.facts?.removal.isCertain != false }

    /// The file as the visitor gets it, read now if that has not been done; nil if it is withheld.
    ///
    /// - Throws: errors of reading it.
    func given() async throws -> GivenFile? {
        if page.showsPlaces { return GivenFile(file: file, removal: nil) }
        let facts = file.isWaiting ? try await page.store.assets.facts(of: file.asset.key) : file.facts
        guard let facts, facts.removal.isCertain else { return nil }
        return GivenFile(file: file, removal: facts.tellsPlace ? facts : nil)
    }

    /// The file's name: its caption, else the shared record's name for its own files, else the page's heading.
    func name(_ language: PageLanguage) -> String {
        if let caption = file.caption { return caption }
        guard case .shared(let tree) = page.kind, let root = tree.root, file.key.recordName == root.recordName else {
            return page.title(language)
        }
        return PageWords.name(of: root) ?? page.title(language)
    }
}

extension PageFile {
    func offered(by page: SharedPage) -> OfferedFile { OfferedFile(page: page, file: self) }
}
