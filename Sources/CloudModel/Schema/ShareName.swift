/// Reserved names of share records and their fields (reference B §9.1).
package enum ShareName {
    /// The record name of a zone's share.
    package static let zoneWide = "cloudkit.zoneshare"
    /// Predefined fields of share records; apps add their own.
    package static let fields: [(name: String, type: FieldType)] = [
        ("cloudkit.title", FieldType(.string)), ("cloudkit.type", FieldType(.string)),
        ("cloudkit.thumbnailImageData", FieldType(.bytes)),
    ]
}
