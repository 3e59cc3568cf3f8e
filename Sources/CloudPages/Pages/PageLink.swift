package import CloudHTTP
import CloudWire

/// A link styled as a button.
package struct PageLink: PageView {
    package let label: String
    package let address: String
    /// Whether the link leads to a destructive action.
    package var isDanger = false
    /// The CSS class that shows the link only on narrow pages; nil for a permanent link.
    package var fit: String?

    package init(label: String, address: String, isDanger: Bool = false, fit: String? = nil) {
        self.label = label
        self.address = address
        self.isDanger = isDanger
        self.fit = fit
    }
}

extension PageLink {
    /// A link back to the record page that asked for an upload; nil for other uploads.
    package static func toRecord(from request: Request) -> PageLink? {
        UploadPage.addressBack(from: request).map { PageLink(label: "Back to the record", address: $0) }
    }

    /// A link to the console for a failed console page; nil for other pages.
    package static func toConsole(from request: Request) -> PageLink? {
        request.path.hasPrefix("/console/") ? PageLink(label: "To the console", address: "/console") : nil
    }
}
