/// Reserved names for sharing: fields and record types (reference B §9.1).
package enum ShareName {
    /// The share record of a whole zone.
    package static let zoneWide = "cloudkit.zoneshare"
    /// The fields every share record may have; an app's own grow beside them.
    package static let fields: [(name: String, type: FieldType)] = [
        ("cloudkit.title", FieldType(.string)), ("cloudkit.type", FieldType(.string)),
        ("cloudkit.thumbnailImageData", FieldType(.bytes)),
    ]
}
