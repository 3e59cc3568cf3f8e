#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The places in a stored body that are filled when it is read, marked by bytes that JSON text cannot contain.
package enum BodyMarks {
    /// Stands before and after an asset's key, in the place of its `downloadURL`.
    package static let assetLink: UInt8 = 1
    /// Stands where members belong that depend on who reads.
    package static let reader: UInt8 = 2

    /// The body with a link for each asset.
    ///
    /// - Parameter link: makes a URL of an asset's key; its text must need no escaping in JSON.
    package static func filled(_ body: [UInt8], link: (AssetKey) -> String?) -> [UInt8] {
        guard contains(assetLink, body) else { return body }
        var filled: [UInt8] = []
        filled.reserveCapacity(body.count + 512)
        for (index, part) in body.split(separator: assetLink, omittingEmptySubsequences: false).enumerated() {
            if index % 2 == 0 {
                filled += part
            } else if let url = AssetKey(String(decoding: part, as: UTF8.self)).flatMap(link) {
                filled += url.utf8
            }
        }
        return filled
    }

    /// The body as JSON that can be parsed, its places empty or with the bare keys in them.
    package static func removed(_ body: [UInt8]) -> [UInt8] {
        guard contains(assetLink, body) || contains(reader, body) else { return body }
        return body.filter { $0 != assetLink && $0 != reader }
    }

    /// The body without the place for members that depend on the reader; those of its assets stay.
    package static func unmarked(_ body: [UInt8]) -> [UInt8] { body.filter { $0 != reader } }

    private static func contains(_ mark: UInt8, _ body: [UInt8]) -> Bool {
        body.withUnsafeBytes { bytes in
            bytes.baseAddress.map { memchr($0, Int32(mark), bytes.count) != nil } ?? false
        }
    }
}

extension JSONWriter {
    /// The place of an asset's download URL, to be filled by ``BodyMarks/filled(_:link:)``.
    mutating func assetLink(_ key: AssetKey) {
        let mark = [BodyMarks.assetLink]
        verbatim(Array("\"".utf8) + mark + Array(key.text.utf8) + mark + Array("\"".utf8))
    }
}

extension BodyMarks {
    /// The body as JSON without members that only a server can fill in.
    package static func bare(_ body: [UInt8]) -> [UInt8] {
        guard contains(assetLink, body) else { return removed(body) }
        let member = Array(#","downloadURL":""#.utf8)
        var bare: [UInt8] = []
        bare.reserveCapacity(body.count)
        for (index, part) in body.split(separator: assetLink, omittingEmptySubsequences: false).enumerated()
        where index % 2 == 0 {
            // Each part after a link begins with the quote that ends it.
            bare += index == 0 ? part : part.dropFirst()
            if bare.suffix(member.count).elementsEqual(member) { bare.removeLast(member.count) }
        }
        return removed(bare)
    }
}
