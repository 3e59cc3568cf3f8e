import CloudSQL

/// The form in which visitors may download the files of a page.
package enum PageDownloads: String, CaseIterable, Sendable {
    /// Files as they were uploaded.
    case originals
    /// Pictures as copies of at most 2,048 pixels; no other files.
    case reduced
    case nothing = "none"

    /// The migration "22 downloads". NULL is `originals`.
    static let sql = Layout(
        sqlite: "ALTER TABLE page_settings ADD COLUMN downloads TEXT;",
        postgres: #"ALTER TABLE page_settings ADD COLUMN downloads TEXT COLLATE "C";"#)

    /// The stored form; nil for the default.
    package var stored: String? { self == .originals ? nil : rawValue }

    /// - Parameter stored: nil for the default. A value of a later version allows nothing.
    init(stored: String?) {
        self = stored.map { PageDownloads(rawValue: $0) ?? .nothing } ?? .originals
    }
}
