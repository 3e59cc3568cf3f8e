#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Placeholders in a stored body, filled on reading and marked by bytes that JSON text cannot contain.
extension RecordBody {
    /// Encloses an asset's key, in place of its `downloadURL`.
    static let assetPlaceholder: UInt8 = 1
    /// Marks the place of reader-dependent members.
    static let readerPlaceholder: UInt8 = 2

    /// True for a body with a placeholder for a download URL.
    package var hasAssets: Bool { contains(Self.assetPlaceholder) }

    /// The body with a download URL for each asset.
    ///
    /// - Parameter url: makes the URL for an asset's key; the URL must need no JSON escaping.
    package func withDownloads(_ url: (AssetKey) -> String?) -> RecordBody {
        guard contains(Self.assetPlaceholder) else { return self }
        var filled: [UInt8] = []
        filled.reserveCapacity(bytes.count + 512)
        for (index, part) in bytes.split(separator: Self.assetPlaceholder, omittingEmptySubsequences: false)
            .enumerated()
        {
            if index % 2 == 0 {
                filled += part
            } else if let url = AssetKey(String(decoding: part, as: UTF8.self)).flatMap(url) {
                filled += url.utf8
            }
        }
        return RecordBody(filled)
    }

    /// Parseable JSON: the placeholder bytes removed, bare asset keys left.
    package var withoutPlaceholders: RecordBody {
        guard contains(Self.assetPlaceholder) || contains(Self.readerPlaceholder) else { return self }
        return RecordBody(bytes.filter { $0 != Self.assetPlaceholder && $0 != Self.readerPlaceholder })
    }

    /// Whether the bytes are intact JSON. A damaged database may hold arbitrary bytes, which must not reach an answer.
    package var isWhole: Bool {
        guard contains(Self.assetPlaceholder) || contains(Self.readerPlaceholder) else {
            return JSONParser.isObject(bytes)
        }
        let (assets, readers) = bytes.reduce((0, 0)) { counts, byte in
            (
                counts.0 + (byte == Self.assetPlaceholder ? 1 : 0), counts.1 + (byte == Self.readerPlaceholder ? 1 : 0)
            )
        }
        // A placeholder byte anywhere else is damage.
        return assets.isMultiple(of: 2) && readers == (hasReaderPlaceholder ? 1 : 0)
            && JSONParser.isObject(withoutPlaceholders.bytes)
    }

    /// The body without the placeholder for reader-dependent members; asset placeholders stay.
    package var withoutReaderPlaceholder: RecordBody { RecordBody(bytes.filter { $0 != Self.readerPlaceholder }) }

    /// JSON without download URLs, which only a server can supply.
    package var withoutDownloads: RecordBody {
        guard contains(Self.assetPlaceholder) else { return withoutPlaceholders }
        let member = Array(#","downloadURL":""#.utf8)
        var bare: [UInt8] = []
        bare.reserveCapacity(bytes.count)
        for (index, part) in bytes.split(separator: Self.assetPlaceholder, omittingEmptySubsequences: false)
            .enumerated()
        where index % 2 == 0 {
            // Each part after a key begins with the key's closing quote.
            bare += index == 0 ? part : part.dropFirst()
            if bare.suffix(member.count).elementsEqual(member) { bare.removeLast(member.count) }
        }
        return RecordBody(bare).withoutPlaceholders
    }

    private func contains(_ mark: UInt8) -> Bool {
        bytes.withUnsafeBytes { bytes in
            bytes.baseAddress.map { memchr($0, Int32(mark), bytes.count) != nil } ?? false
        }
    }
}

extension JSONWriter {
    /// Writes a placeholder for an asset's download URL, filled by ``RecordBody/withDownloads(_:)``.
    mutating func assetPlaceholder(_ key: AssetKey) {
        let mark = [RecordBody.assetPlaceholder]
        verbatim(Array("\"".utf8) + mark + Array(key.text.utf8) + mark + Array("\"".utf8))
    }
}
