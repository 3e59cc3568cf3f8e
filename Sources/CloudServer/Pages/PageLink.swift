/// A link styled as a button.
struct PageLink: PageView {
    let label: String
    let address: String
    /// Whether the link leads to a destructive action.
    var isDanger = false
    /// The CSS class that shows the link only on narrow pages; nil for a permanent link.
    var fit: String?
}

extension PageLink {
    /// A link back to the record page that asked for an upload; nil for other uploads.
    static func toRecord(from request: Request) -> PageLink? {
        UploadPage.addressBack(from: request).map { PageLink(label: "Back to the record", address: $0) }
    }

    /// A link to the console for a failed console page; nil for other pages.
    static func toConsole(from request: Request) -> PageLink? {
        request.path.hasPrefix("/console/") ? PageLink(label: "To the console", address: "/console") : nil
    }
}
