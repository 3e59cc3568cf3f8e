/// Change tags: a zero, the epoch's tag part, then the change position in base 36. Opaque to clients (reference A §2.4).
/// Positions never begin with a zero, which distinguishes tags older than epochs.
package enum ChangeTag {
    /// Characters of an epoch's part, all of `0-9a-z`.
    static let partSize = 5

    /// - Parameter part: the epoch's ``Epoch/tagPart``; nil for positions older than epochs.
    package static func text(_ position: Int64, part: String?) -> String {
        let digits = String(position, radix: 36)
        guard let part else { return digits }
        return "0" + part + digits
    }

    /// The position in a tag; nil for invalid tags.
    package static func position(_ tag: String) -> Int64? {
        guard tag.utf8.first == UInt8(ascii: "0"), tag.utf8.count > 1 else { return Int64(tag, radix: 36) }
        return Int64(tag.dropFirst(1 + partSize), radix: 36)
    }
}
