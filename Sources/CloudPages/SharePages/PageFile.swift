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
    /// True for a video of which the page shows a picture.
    let hasPoster: Bool
    /// The picture's mean color; nil until it has been found.
    let color: PictureColor?
    /// What the file tells of itself; nil until it has been read.
    let facts: FileFacts?
    /// True if the file has still to be read.
    let isWaiting: Bool
    /// The movie of a Live Photo; nil for other files.
    var movie: LiveMovie?
    /// Where the file's record stands on a page in order of time.
    let standing: Standing
    /// The name that the other half of a Live Photo may have too; nil for a file beside others in its record.
    let stem: LiveStem?

    /// True if previews are made of it.
    var hasPreview: Bool { isPicture || hasPoster }
    /// Pixels as shown; nil if unknown.
    var imageSize: ImageSize? { facts?.size ?? asset.imageSize }

    var isPlayed: Bool { ContentType.isPlayed(asset.contentType) }

    /// Changes when another file replaces this one.
    package var version: String { String(asset.key.text.suffix(10)) }
}

extension PageFile {
    init(
        key: ItemKey, file: KeptFile, caption: String?, created: Timestamp, standing: Standing, stem: LiveStem? = nil
    ) {
        (self.standing, self.stem) = (standing, stem)
        (self.key, asset, self.caption, self.created) = (key, file.asset, caption, created)
        (facts, isWaiting, color) = (file.facts, file.isWaiting, file.color)
        let isVideo = ContentType.isVideo(file.asset.contentType)
        (isPicture, hasPoster) = (file.hasPreview && !isVideo, file.hasPreview && isVideo)
    }
}

extension SharedPage {
    /// The files of a record in field order, without files missing from the store.
    func files(of record: PageRecord, _ language: PageLanguage) async throws -> [PageFile] {
        try await files(of: [record], language)[0]
    }

    /// The files of each record, with captions in a language. All are found by one statement.
    func files(of records: [PageRecord], _ language: PageLanguage) async throws -> [[PageFile]] {
        let assets = records.map(assets)
        let found = try await store.assets.files(Set(assets.flatMap { $0.flatMap(\.1) }))
        return zip(records, assets).map { record, fields in
            let caption = caption(of: record, language)
            let kept = fields.flatMap(\.1).compactMap { found[$0] }
            let standing = Standing(kept, created: record.created)
            let stem = kept.count == 1 ? LiveStem(record, type: kept[0].asset.contentType) : nil
            return fields.flatMap { field, keys in
                keys.enumerated().compactMap { index, key in
                    found[key].map { file in
                        PageFile(
                            key: ItemKey(recordName: record.recordName, field: field, index: index), file: file,
                            caption: caption, created: record.created, standing: standing, stem: stem)
                    }
                }
            }
        }
    }

    /// The assets of each shown field.
    func assets(of record: PageRecord) -> [(field: String, assets: [AssetKey])] {
        record.fields.filter { shows($0.name, of: record) }.map { ($0.name, $0.assets) }
    }

    /// The file for a URL's key, unless hidden from the visitor.
    package func file(_ key: ItemKey, _ language: PageLanguage) async throws -> PageFile? {
        try await fileAndRecord(key, language)?.file
    }

    /// ``file(_:_:)`` with the record that has it.
    func fileAndRecord(_ key: ItemKey, _ language: PageLanguage) async throws -> (file: PageFile, record: PageRecord)? {
        guard let record = try await record(key.recordName) else { return nil }
        return try await files(of: record, language).first { $0.key == key }
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
            return showsPlaces ? record : record.withoutPlaces()
        case .shared(let tree): return try await tree.record(name).map { showsPlaces ? $0 : $0.withoutPlaces() }
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

    private func caption(of record: PageRecord, _ language: PageLanguage) -> String? {
        guard !record.recordName.isExactly(rootName) else { return nil }
        guard case .published(_, let rule) = kind else { return PageWords.caption(of: record) }
        return rule.items?.caption.flatMap { language.filled($0, with: record) }
    }
}
