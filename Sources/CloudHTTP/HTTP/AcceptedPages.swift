extension HTTPFields {
    /// True for a browser's request for a page.
    package var acceptPages: Bool { self[.accept]?.lowercased().contains("text/html") == true }
}
