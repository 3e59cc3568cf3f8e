/// A share record's stored form has one byte that JSON never has, where what depends on the reader belongs: right
/// before the closing brace, so that telling such a body from others costs one look.
extension RecordBody {
    static func unfilled(_ body: [UInt8]) -> [UInt8] {
        var body = body
        body.insert(BodyMarks.reader, at: body.count - 1)
        return body
    }

    /// Whether a stored form has a place to fill.
    package static func hasReaderMark(_ body: [UInt8]) -> Bool {
        body.count >= 2 && body[body.count - 2] == BodyMarks.reader
    }

    /// A share record as this reader sees it.
    package static func filled(_ body: [UInt8], with state: ShareState, for reader: Participant?) -> [UInt8] {
        guard hasReaderMark(body) else { return body }
        var members = JSONWriter(capacity: 512)
        members.object { state.writeMembers(for: reader, to: &$0) }
        var filled = Array(body.dropLast(2))
        filled.append(UInt8(ascii: ","))
        filled.append(contentsOf: members.bytes.dropFirst())
        return filled
    }

    /// The text of the `fields` object of a stored form, whatever is in it.
    ///
    /// Quotes within texts are escaped, so the keys around it can be searched for: from the front, where only the
    /// name and the type come before, and from the back.
    package static func fields(of body: [UInt8]) -> [UInt8] {
        let before = Array(#","fields":"#.utf8)
        let after = Array(#","pluginFields":{},"recordChangeTag":""#.utf8)
        guard let start = body.indices.first(where: { body[$0...].starts(with: before) }),
            let end = body.indices.reversed().first(where: { body[$0...].starts(with: after) }),
            start + before.count <= end
        else { return Array("{}".utf8) }
        return Array(body[(start + before.count)..<end])
    }
}
