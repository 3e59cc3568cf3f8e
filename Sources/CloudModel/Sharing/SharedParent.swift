/// The parent that the root of a share has outside the share: its members are not told of it (reference B §9.1).
///
/// Quotes within texts are escaped, and every value of a field is in an object that begins otherwise, so these keys stand
/// in a stored form only where the record itself has them.
extension RecordBody {
    /// The parent of a record that is the root of a share; nil for every other record.
    package static func parentOfRoot(_ body: [UInt8]) -> String? {
        guard position(of: #","share":{"recordName":"#, in: body) != nil, let range = parentMember(body) else {
            return nil
        }
        let value = try? JSONParser.parse(
            [UInt8(ascii: "{")] + body[(range.lowerBound + 1)..<range.upperBound] + [UInt8(ascii: "}")])
        return value?.object?["parent"]?.object?["recordName"]?.string
    }

    /// The stored form without its parent.
    package static func withoutParent(_ body: [UInt8]) -> [UInt8] {
        guard let range = parentMember(body) else { return body }
        return Array(body[..<range.lowerBound] + body[range.upperBound...])
    }

    /// Where the member is, the comma before it included.
    private static func parentMember(_ body: [UInt8]) -> Range<Int>? {
        let key = #","parent":{"recordName":""#
        guard let start = position(of: key, in: body) else { return nil }
        var end = start + key.utf8.count
        while end < body.count, body[end] != UInt8(ascii: "\"") { end += body[end] == UInt8(ascii: "\\") ? 2 : 1 }
        // The quote that ends the name, and the brace.
        return end + 2 <= body.count ? start..<(end + 2) : nil
    }

    private static func position(of text: String, in body: [UInt8]) -> Int? {
        let wanted = Array(text.utf8)
        return body.withUnsafeBufferPointer { bytes in
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
