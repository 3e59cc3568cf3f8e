import CloudHTTP
import CloudModel
import CloudPages
import CloudServer
import CloudWire
import Foundation
import TestBrowser
import TestCloud
import Testing

/// Every kind of page for people in English, from right to left, without spaces, and in words 40 % longer than English, light
/// and dark, narrow and wide, with large letters and by keyboard. The long words also have all variants of the kinds.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct LookMatrixTests {
    private static let tags = ["en", "ar", "ja", LongTexts.tag]

    @Test("Share pages fit, pass the accessibility rules, are reached by keyboard, and say the same without scripts")
    func sharePages() async throws {
        try await check { trip in try await SharePageLooks(trip: trip).prepare() }
    }

    @Test("The start and sign-in pages fit, pass the rules, are reached by keyboard, and say the same without scripts")
    func signIn() async throws {
        try await check { trip in try await SignInLooks(server: trip.server).prepare() }
    }

    /// Checks the languages in turn, with one server and one browser.
    private func check(_ prepare: @Sendable (TripFixture) async throws -> [Look]) async throws {
        let texts = try LongTexts()
        defer { texts.remove() }
        let pages = try PageFiles(PublicFiles(folder: nil), texts: texts.folder.path())
        try await TripFixture.run(.live, configure: { $0.registration.isOpen = true }, pages: pages) { trip in
            let looks = try await prepare(trip)
            let browser = try await TestBrowser()
            for person in looks.people {
                let page = try await browser.page()
                if let person { try await page.signIn(person, at: trip.origin) }
                for (turn, tag) in Self.tags.enumerated() {
                    try await page.open("\(trip.origin)/auth/signin?lang=\(tag)")
                    for (index, look) in looks.enumerated() where look.person == person {
                        guard look.isKind || tag == LongTexts.tag else { continue }
                        try await LookCheck(look: look, page: page, origin: trip.origin, tag: tag)
                            .run(
                                isWide: (turn + index).isMultiple(of: 2),
                                isFirst: tag == (look.isKind ? Self.tags[0] : LongTexts.tag))
                    }
                }
                #expect(page.faults.filter { !$0.contains("status of 4") } == [])
                // A page that stays open keeps what it listens to and loads, and the browser has few connections.
                try await page.open("about:blank")
            }
        }
    }
}
