@testable import CloudHTTP
@testable import CloudPages
import TestCloud
import NIOCore
import Testing

/// Pages packed without comparing any of their values.
@Suite(.timeLimit(.minutes(5)))
struct PagePackerTests {
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    /// A table of values between the marks that templates put around them.
    private static func table(rows: Int, _ value: (_ row: Int, _ column: Int) -> String) -> RenderedPage {
        var text = "<!DOCTYPE html><title>A table</title><table>"
        for row in 0..<rows {
            text += "<tr tabindex=\"0\">"
            for column in 0..<6 {
                text += "<td data-label=\"\u{2}column \(column)\u{3}\"><span class=\"clip\" dir=\"auto\">"
                text += "\u{2}\(value(row, column))\u{3}</span></td>"
            }
            text += "</tr>\n"
        }
        return RenderedPage(marked: text + "</table>")
    }

    private static func word(_ length: Int, _ generator: inout Generator) -> String {
        String(
            (0..<length).map { _ in
                "abcdefghijklmnopqrstuvwxyz<>&;\"'=/ 0123456789".randomElement(using: &generator) ?? "a"
            })
    }

    @Test("A packed page unpacks to the same bytes, whatever its contents", arguments: 1...12)
    func roundTrip(seed: UInt64) throws {
        var generator = Generator(state: seed)
        let page = Self.table(rows: Int.random(in: 5...120, using: &generator)) { _, _ in
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: ""
            case 1: "<td data-label=\"column 1\"><span class=\"clip\" dir=\"auto\">"
            case 2: String(repeating: "ä€𝄞", count: Int.random(in: 0...30, using: &generator))
            default: Self.word(Int.random(in: 0...400, using: &generator), &generator)
            }
        }
        let packed = try #require(PagePacker.pack(page))
        #expect(try GzipTests.unpack(Array(packed.readableBytesView)) == page.text)
    }

    @Test("Repetitions outside the window are not used", arguments: [32_700, 32_768, 32_769, 40_000, 70_000])
    func window(gap: Int) throws {
        let text = "<p class=\"one that is long enough\">"
        let page = RenderedPage(marked: text + "\u{2}\(String(repeating: "x", count: gap))\u{3}" + text)
        let packed = try #require(
            PagePacker.pack(RenderedPage(marked: page.text + String(repeating: "y", count: 9000))))
        #expect(
            try GzipTests.unpack(Array(packed.readableBytesView)) == page.text + String(repeating: "y", count: 9000))
        let marked = PagePacker.pack(page)
        if let marked { #expect(try GzipTests.unpack(Array(marked.readableBytesView)) == page.text) }
    }

    @Test("A packed page's length depends on the lengths of values but not on their contents")
    func lengths() throws {
        var generator = Generator(state: 7)
        let lengths = (0..<600).map { _ in Int.random(in: 0...60, using: &generator) }
        let own = String(repeating: "<td data-label=\"column 1\"><span class=\"clip\" dir=\"auto\">", count: 4)
        let secret = Self.word(60, &generator)
        // With a declared type, since the compiler takes 17 s to find it.
        let values: [(_ index: Int, _ length: Int) -> String] = [
            { _, length in String(repeating: "a", count: length) },
            { _, length in Self.word(length, &generator) },
            { _, length in String(own.prefix(length)) },
            { _, length in String(secret.prefix(length)) },
            { index, length in index % 2 == 0 ? String(secret.prefix(length)) : String(secret.reversed().prefix(length))
            },
        ]
        let sizes = try values.map { value in
            let page = Self.table(rows: 100) { row, column in value(row * 6 + column, lengths[row * 6 + column]) }
            return try #require(PagePacker.pack(page)).readableBytes
        }
        #expect(Set(sizes).count == 1, "\(sizes)")
    }

    @Test("A repeated text refers to its previous occurrence, at any length and distance", arguments: 1...8)
    func repeated(seed: UInt64) throws {
        var generator = Generator(state: seed)
        let texts = (0..<6).map { _ in Self.word(Int.random(in: 0...700, using: &generator), &generator) }
        var marked = ""
        for _ in 0..<200 {
            let text = RepeatedText.marked(texts.randomElement(using: &generator) ?? "")
            marked += "<td>" + EscapedText().escapeText(text)
            marked += EscapedText().escapeText(Self.word(Int.random(in: 0...300, using: &generator), &generator))
        }
        let page = RenderedPage(marked: marked)
        let packed = try #require(PagePacker.pack(page))
        #expect(try GzipTests.unpack(Array(packed.readableBytesView)) == page.text)
        #expect(page.repeated.count > 100 && packed.readableBytes < page.bytes.count)
    }

    @Test("A user's text cannot pose as a repeated text")
    func forged() {
        let text = EscapedText().escapeText("\u{4}0123456789abcdef-label")
        #expect(RenderedPage(marked: text).repeated.isEmpty)
        #expect(RenderedPage(marked: text).text == "\u{FFFD}0123456789abcdef-label")
        let page = RenderedPage(marked: EscapedText().escapeText(RepeatedText.marked("a<\u{4}")))
        #expect(page.text == "a&lt;\u{FFFD}" && page.repeated == page.values)
    }

    @Test("Marker characters in a value are replaced, so that no value can end early")
    func marks() throws {
        let text = EscapedText().escapeText("a\u{3}<b>\u{2}c")
        let page = RenderedPage(marked: "x" + text + "y")
        #expect(page.text == "xa\u{FFFD}&lt;b&gt;\u{FFFD}cy")
        #expect(page.values == [1..<page.bytes.count - 1])
        #expect(RenderedPage(marked: EscapedText().escapeText("")).values.isEmpty)
    }

    @Test("A console page is sent packed, at a third of its size")
    func console() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            _ = try await mei.modify(
                in: "public",
                (0..<100).map { Operation.write("create", "n\($0)", fields: #""title": {"value": "number \#($0)"}"#) })
            let path = "/console/data?container=iCloud.com.example.test&environment=development&type=Note"
            let plain = try await server.send(.get, path)
            #expect(plain.headers[.contentEncoding] == nil)
            let packed = try await server.download(path, headers: [.acceptEncoding: "gzip"])
            #expect(packed.headers[.contentEncoding] == "gzip")
            let text = try GzipTests.unpack(packed.bytes)
            #expect(text.contains("number 99") && text.hasSuffix("</html>\n"))
            #expect(packed.bytes.count * 3 < text.utf8.count, "\(packed.bytes.count) of \(text.utf8.count)")
        }
    }

    /// What BREACH does: text of the attacker's stands beside a secret, and a right guess makes the page shorter.
    @Test("A right guess of a form secret changes the page's length no more than a wrong one")
    func breach() async throws {
        try await TestServer.run { server in
            let visitor = WebVisitor(server)
            let page = try await visitor.open("/console/people").text
            let secret = String(try #require(page.firstMatch(of: #/name="form" value="([^"]*)"/#)?.output.1))
            let cookie = try #require(visitor.cookie(FormGuard.cookieName))
            func size(_ guess: String) async throws -> (packed: Int, whole: Int) {
                let path = "/console/people?matching=\(App.encoded(guess))"
                let answer = try await server.download(
                    path, headers: [.acceptEncoding: "gzip", .cookie: "\(FormGuard.cookieName)=\(cookie)"])
                let text = try GzipTests.unpack(answer.bytes)
                #expect(text.contains("value=\"\(secret)\"") && text.contains("value=\"\(guess)\""))
                let whole = try #require(Gzip.pack(ByteBuffer(string: text)))
                return (answer.bytes.count, whole.readableBytes)
            }
            let right = try await size(secret)
            for wrong in [
                String(secret.reversed()), String(secret.sorted()), String(secret.dropFirst(8) + secret.prefix(8)),
            ] {
                let sizes = try await size(wrong)
                #expect(sizes.packed == right.packed)
                // The page as a whole would tell.
                #expect(sizes.whole > right.whole)
            }
        }
    }
}
