package import CloudHTTP
package import CloudAssets
package import CloudModel
import CloudStore

/// A page's file with metadata.
package struct PageFile: Sendable {
    package let key: ItemKey
    package let asset: AssetDescription
    /// The owner's caption; nil if there is none.
    let caption: String?
    package let created: Timestamp

    /// True if the page shows previews of it; other pictures are listed as files.
    let isPicture: Bool

    var isPlayed: Bool { ContentType.isPlayed(asset.contentType) }

    /// Changes when another file replaces this one.
    package var version: String { String(asset.key.text.suffix(10)) }
}

extension SharedPage {
    /// The files of a record in field order, without files missing from the store.
    package func files(of record: PageRecord, caption: String?) async throws -> [PageFile] {
        var files: [PageFile] = []
        for field in record.fields where shows(field.name, of: record) {
            for (index, key) in field.assets.enumerated() {
                guard let (asset, hasPreview) = try await store.assets.findPicture(key) else { continue }
                files.append(
                    PageFile(
                        key: ItemKey(recordName: record.recordName, field: field.name, index: index), asset: asset,
                        caption: caption, created: record.created, isPicture: hasPreview))
            }
        }
        return files
    }

    /// The file for a URL's key, unless hidden from the visitor.
    package func file(_ key: ItemKey, _ language: PageLanguage) async throws -> PageFile? {
        try await fileAndRecord(key, language)?.file
    }

    /// ``file(_:_:)`` with the record that has it.
    func fileAndRecord(_ key: ItemKey, _ language: PageLanguage) async throws -> (file: PageFile, record: PageRecord)? {
        guard let record = try await record(key.recordName) else { return nil }
        return try await files(of: record, caption: caption(of: record, language)).first { $0.key == key }
            .map { ($0, record) }
    }

    /// The named record, unless hidden from the visitor.
    private func record(_ name: String) async throws -> PageRecord? {
        guard name.isExactly(rootName) ? showsRoot : isShown(name) else { return nil }
        switch kind {
        case .published(let root, let rule):
            if name.isExactly(root.recordName) { return root }
            guard let record = try await PublishedRecords.find(name, in: store),
                PublishedRecords(store: store, rule: rule, root: root, limits: Limits()).isItem(record)
            else { return nil }
            return record
        case .shared(let tree): return try await tree.record(name)
        }
    }

    private var rootName: String? {
        switch kind {
        case .published(let root, _): root.recordName
        case .shared(let tree): tree.root?.recordName
        }
    }

    private func shows(_ field: String, of record: PageRecord) -> Bool {
        guard case .published(let root, let rule) = kind else { return true }
        return field == (record.recordName.isExactly(root.recordName) ? rule.asset : rule.items?.asset)
    }

    /// A file's name: its caption, else the shared record's name for its own files, else the page's heading.
    package func name(of file: PageFile, _ language: PageLanguage) -> String {
        if let caption = file.caption { return caption }
        guard case .shared(let tree) = kind, let root = tree.root, file.key.recordName == root.recordName else {
            return title(language)
        }
        return PageWords.name(of: root) ?? title(language)
    }

    func caption(of record: PageRecord, _ language: PageLanguage) -> String? {
        guard !record.recordName.isExactly(rootName) else { return nil }
        guard case .published(_, let rule) = kind else { return PageWords.caption(of: record) }
        return rule.items?.caption?.filled { language.shown(record.field($0)) }
    }
}
