/// A share record's stored form has a placeholder byte for reader-dependent members. The byte precedes the closing brace, so
/// checking for it takes constant time.
extension RecordBody {
    static func withReaderPlaceholder(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        bytes.insert(readerPlaceholder, at: bytes.count - 1)
        return bytes
    }

    /// True if the body has a placeholder for reader-dependent values.
    package var hasReaderPlaceholder: Bool { bytes.count >= 2 && bytes[bytes.count - 2] == Self.readerPlaceholder }

    /// The share record for a given reader.
    package func filled(with state: ShareState, for reader: Participant?) -> RecordBody {
        guard hasReaderPlaceholder else { return self }
        var members = JSONWriter(capacity: 512)
        members.object { state.writeMembers(for: reader, to: &$0) }
        var filled = Array(bytes.dropLast(2))
        filled.append(UInt8(ascii: ","))
        filled.append(contentsOf: members.bytes.dropFirst())
        return RecordBody(filled)
    }

    /// The text of the `fields` object, unparsed.
    ///
    /// Quotes inside strings are escaped, so a byte search finds the surrounding keys: the first from the front, where only the
    /// name and type precede, the second from the back.
    package var fields: [UInt8] {
        let before = Array(#","fields":"#.utf8)
        let after = Array(#","pluginFields":{},"recordChangeTag":""#.utf8)
        guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: before) }),
            let end = bytes.indices.reversed().first(where: { bytes[$0...].starts(with: after) }),
            start + before.count <= end
        else { return Array("{}".utf8) }
        return Array(bytes[(start + before.count)..<end])
    }
}
