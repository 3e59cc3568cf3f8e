/// The root's parent, which lies outside the share and is hidden from its members (reference B §9.1).
///
/// Quotes inside strings are escaped, and each field value is an object with other leading keys, so a byte search finds these
/// keys only as the record's own.
extension RecordBody {
    /// The parent record's name, if this record is the root of a share; nil otherwise.
    package var parentOfRoot: String? {
        guard position(of: #","share":{"recordName":"#) != nil, let range = parentMember else { return nil }
        let value = try? JSONParser.parse(
            [UInt8(ascii: "{")] + bytes[(range.lowerBound + 1)..<range.upperBound] + [UInt8(ascii: "}")])
        return value?.object?["parent"]?.object?["recordName"]?.string
    }

    /// The stored form without its parent.
    package var withoutParent: RecordBody {
        guard let range = parentMember else { return self }
        return RecordBody(Array(bytes[..<range.lowerBound] + bytes[range.upperBound...]))
    }

    /// The byte range of the `parent` member, including the preceding comma.
    private var parentMember: Range<Int>? {
        let key = #","parent":{"recordName":""#
        guard let start = position(of: key) else { return nil }
        var end = start + key.utf8.count
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") { end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1 }
        // The name's closing quote, and the brace.
        return end + 2 <= bytes.count ? start..<(end + 2) : nil
    }

    private func position(of text: String) -> Int? {
        let wanted = Array(text.utf8)
        return bytes.withUnsafeBufferPointer { bytes in
            var place = 0
            while place + wanted.count <= bytes.count {
                if bytes[place] == wanted[0], bytes[place..<(place + wanted.count)].elementsEqual(wanted) {
                    return place
                }
                place += 1
            }
            return nil
        }
    }
}
