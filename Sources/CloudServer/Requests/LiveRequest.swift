extension HTTPFields {
    /// Whether a page that keeps itself up to date has asked, and nobody who looks at it.
    var isLive: Bool { contains(.live) }
}
