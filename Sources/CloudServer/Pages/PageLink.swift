/// A link that looks like a button.
struct PageLink: PageView {
    let label: String
    let address: String
    /// Whether it leads to a page that takes something away.
    var isDanger = false
    /// The class by which it is only there on pages without room for what it leads to; nil for one that is always there.
    var fit: String?
}

extension PageLink {
    /// The way on from a page of the console that cannot be shown; nil from another page.
    static func toConsole(from request: Request) -> PageLink? {
        request.path.hasPrefix("/console/") ? PageLink(label: "To the console", address: "/console") : nil
    }
}
