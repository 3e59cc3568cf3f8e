import CumulusKit
import Foundation

/// The page behind a link, as it is served.
struct Page {
    let link: Link
    let status: Int
    let html: String

    /// Where its files are offered, in its order.
    var downloads: [String] { addresses(of: "download/") }
    /// Where the pictures of its tiles are. A picture alone on its page is shown whole.
    var tiles: [String] {
        let cut = addresses(of: "preview/tile/")
        return cut.isEmpty ? addresses(of: "preview/medium/") : cut
    }

    private func addresses(of kind: String) -> [String] {
        let start = "\"\(link.path)/\(kind)"
        var found: [String] = []
        for part in html.split(separator: start, omittingEmptySubsequences: false).dropFirst() {
            let address = start.dropFirst() + part.prefix { !"\" ".contains($0) }
            if !found.contains(String(address)) { found.append(String(address)) }
        }
        return found
    }
}

extension Server {
    /// Opens a link with no account and no app.
    func open(_ link: Link) async throws -> Page {
        let answer = try await fetch(link.path, accept: "text/html")
        return Page(link: link, status: answer.status, html: String(decoding: answer.body, as: UTF8.self))
    }

    /// The files that a page offers, one by one and in its order.
    func files(of page: Page) async throws -> [Data] {
        var files: [Data] = []
        for address in page.downloads { files.append(try await file(address)) }
        return files
    }

    /// The files that a page offers as one download.
    func zip(of page: Page) async throws -> [StoredZip.Entry] {
        try StoredZip(try await file("\(page.link.path)/zip")).entries
    }

    /// One file among several, which is not shown.
    func file(_ address: String) async throws -> Data {
        let answer = try await Wire.quietly { try await fetch(address) }
        guard answer.status == 200 else { throw Mismatch(what: address, expected: "200", got: "\(answer.status)") }
        return answer.body
    }
}
