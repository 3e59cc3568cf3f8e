import CumulusKit
import Foundation

/// A page that a person may open, and what they will see there.
struct Link {
    let url: URL
    let what: String

    init(_ address: String, _ what: String) throws {
        guard let url = URL(string: address) else { throw Mismatch(what: "a link", expected: "a URL", got: address) }
        self.url = url
        self.what = what
    }

    /// The link of a share that was saved, titled for people (reference B §9.10).
    init(to share: CKShare, _ what: String) throws {
        guard let url = share.url else { throw Mismatch(what: "sharing", expected: "a link", got: "none") }
        try self.init("\(url)#\((share.title ?? "").replacing(" ", with: "-"))", what)
    }

    /// The identifier the link ends in.
    var id: String { url.lastPathComponent }

    /// What a browser asks the server for: everything after the host, without the title, which never leaves the browser.
    var path: String { "/share/\(id)" }
}
