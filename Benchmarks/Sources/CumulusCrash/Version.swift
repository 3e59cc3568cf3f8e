import Traffic

/// One state a record can be in: gone, or there with a value and, once known, a tag.
struct Version: Hashable, Sendable, CustomStringConvertible {
    let value: String?
    var tag: String?

    static let absent = Version(value: nil, tag: nil)

    init(value: String?, tag: String? = nil) {
        self.value = value
        self.tag = tag
    }

    init(_ record: RecordAnswer) {
        let gone = record.deleted == true || record.serverErrorCode != nil
        self.init(value: gone ? nil : record.fields?.v?.value, tag: gone ? nil : record.recordChangeTag)
    }

    /// Returns true if the record found in state `found` may be this version. The tag is unknown when no response came.
    func matches(_ found: Version) -> Bool {
        value == found.value && (tag == nil || tag == found.tag)
    }

    var description: String { value.map { "\($0) (tag \(tag ?? "unknown"))" } ?? "absent" }
}
