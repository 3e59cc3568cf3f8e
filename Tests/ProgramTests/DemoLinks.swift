import CloudModel
import Foundation
import TestBrowser
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The links that a demo printed: the trip, the note, the bookmark, the picture, and the album.
struct DemoLinks {
    /// The status of each link for somebody who is not signed in.
    static let statuses = [200, 403, 200, 200, 403]

    let urls: [URL]

    init(in text: some StringProtocol) {
        urls = String(text).matches(of: /http:\/\/[0-9.:]+\/share\/[^\s\u{1B}]+/)
            .compactMap { URL(string: String($0.output)) }
    }

    func statuses() async throws -> [Int] {
        var statuses: [Int] = []
        for url in urls {
            let (_, response) = try await URLSession.shared.data(from: url)
            statuses.append((response as? HTTPURLResponse)?.statusCode ?? 0)
        }
        return statuses
    }

    /// Returns true if the links were printed and no server has them any more. Another one may listen where theirs did.
    func areGone() async -> Bool {
        guard let statuses = try? await statuses() else { return !urls.isEmpty }
        return statuses.count > 2 && statuses[2] != 200
    }

    /// Opens them as a stranger, then as the people of the play.
    func read(at origin: String) async throws {
        let browser = try await TestBrowser()
        let links = urls.map(\.absoluteString)
        let stranger = try await browser.page()
        try await stranger.open(links[0])
        #expect(try await stranger.text.contains("Lisbon"))
        try await stranger.wait(for: Self.seen(photos: 8))
        try await stranger.screenshot("demo-trip")
        try await stranger.open(links[3])
        #expect(try await stranger.text.contains("Shared by Anna"))
        try await stranger.wait(for: Self.seen(photos: 1))
        try await stranger.screenshot("demo-picture")
        let ben = try await Self.person("ben@example.com", at: origin, in: browser)
        try await ben.open(links[1])
        #expect(try await ben.text.contains("Tickets"))
        try await ben.screenshot("demo-note")
        try await ben.open(links[4])
        #expect(try await ben.text.contains("Our grandchildren"))
        try await ben.wait(for: Self.seen(photos: 1))
        try await ben.screenshot("demo-album")
        let anna = try await Self.person("anna@example.com", at: origin, in: browser)
        try await anna.open(links[0])
        #expect(try await anna.text.contains("You share this"))
        let clara = try await Self.person("clara@example.com", at: origin, in: browser)
        try await clara.open(links[1])
        #expect(try await !clara.text.contains("Tickets"))
    }

    /// That so many pictures are on the page, and have come.
    private static func seen(photos count: Int) -> String {
        "[...document.querySelectorAll('#photos img')].filter(i => i.complete && i.naturalWidth > 0).length == \(count)"
    }

    /// A browser of somebody who clicked on their address.
    private static func person(
        _ email: String, at origin: String, in browser: TestBrowser
    ) async throws -> BrowserPage {
        let page = try await browser.page()
        try await page.open(origin + "/auth/signin")
        try await page.load { try await page.click("button[value='\(email)']") }
        return page
    }
}
