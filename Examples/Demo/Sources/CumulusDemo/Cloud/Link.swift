/// A page that a person may open, and what they will see there.
struct Link {
    let url: String
    let what: String

    /// What a browser asks the server for: everything after the host, without the title, which never leaves the browser.
    var path: String { "/share/\(id)" }

    /// The identifier the link ends in, which is what an app resolves (reference B §9.10).
    var id: String {
        let path = url.prefix { $0 != "#" }
        return String(path.split(separator: "/").last ?? "")
    }
}
