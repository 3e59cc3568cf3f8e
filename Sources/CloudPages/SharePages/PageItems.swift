import CloudHTTP
package import CloudModel
import CloudStore

extension SharedPage {
    /// The most records and files of a part; a record with more files is a part by itself.
    package static let itemsPerPart = 100

    /// Reads one part of the records visible to the visitor, without the root record.
    ///
    /// - Parameters:
    ///   - marker: the end of the previous part; nil for the first part.
    ///   - onlyWithFiles: true to allow omitting records without files.
    ///   - most: the most records to read.
    package func items(
        after marker: String?, onlyWithFiles: Bool = false, most: Int = itemsPerPart, limits: Limits
    ) async throws -> (records: [PageRecord], next: String?) {
        var marker = marker
        while true {
            let (records, next) = try await part(
                after: marker, onlyWithFiles: onlyWithFiles, most: most, limits: limits)
            let shown = records.filter { isShown($0.recordName) }.map { showsPlaces ? $0 : $0.withoutPlaces() }
            // Continue after a part without visible records.
            if !shown.isEmpty || next == nil { return (shown, next) }
            marker = next
        }
    }

    /// Records by name, the root among them, as far as the visitor sees them.
    func items(named names: [String], limits: Limits) async throws -> [ExactName: PageRecord] {
        var found: [ExactName: PageRecord] = [:]
        if showsRoot, let root { found[ExactName(root.recordName)] = root }
        var marker: String?
        repeat {
            let (records, next) = try await part(named: names, after: marker, limits: limits)
            for record in records where isShown(record.recordName) {
                found[ExactName(record.recordName)] = showsPlaces ? record : record.withoutPlaces()
            }
            marker = next
        } while marker != nil
        return found
    }

    private func part(
        named names: [String], after marker: String?, limits: Limits
    ) async throws -> ([PageRecord], String?) {
        switch kind {
        case .published(let root, let rule):
            return try await PublishedRecords(store: store, rule: rule, root: root, limits: limits)
                .items(named: names, after: marker, limit: Self.itemsPerPart)
        case .shared(let tree): return try await tree.records(.named(names), after: marker, limit: Self.itemsPerPart)
        }
    }

    /// The record names that the owner chose to show; nil for all. The owner sees all.
    var shownItems: [String]? { visitor.isOwner ? nil : link?.items }

    private func part(
        after marker: String?, onlyWithFiles: Bool, most: Int, limits: Limits
    ) async throws -> ([PageRecord], String?) {
        switch kind {
        case .published(let root, let rule):
            return try await PublishedRecords(store: store, rule: rule, root: root, limits: limits)
                .items(named: shownItems, onlyWithFiles: onlyWithFiles, after: marker, limit: most)
        case .shared(let tree):
            let choice = shownItems.map(ShareChoice.named) ?? (onlyWithFiles ? .withFiles : .all)
            return try await tree.records(choice, after: marker, limit: most)
        }
    }

    /// The page's root record; nil for a shared zone.
    package var root: PageRecord? {
        switch kind {
        case .published(let root, _): root
        case .shared(let tree): tree.root
        }
    }

    /// All files of the page in order, with captions in a language.
    ///
    /// - Throws: a refusal for more than ``PageTotals/mostFiles(_:)``.
    func allFiles(_ language: PageLanguage, limits: Limits) async throws -> [PageFile] {
        var files: [PageFile] = []
        if showsRoot, let root { files += try await self.files(of: root, language) }
        var marker: String?
        repeat {
            let (records, next) = try await items(after: marker, onlyWithFiles: true, limits: limits)
            files += try await self.files(of: records, language).flatMap(\.self)
            guard files.count <= PageTotals.mostFiles(limits) else { throw SharePageRefusal.tooLong(limits) }
            marker = next
        } while marker != nil
        guard isInOrderOfTime, files.count <= PageOrder.most else { return files }
        return files.enumerated().sorted { ($0.1.standing, $0.0) < ($1.1.standing, $1.0) }.map(\.1)
    }
}
