@testable import CloudPages
import Testing

@Suite("Web addresses inside texts", .timeLimit(.minutes(1))) struct LinkedTextTests {
    /// A piece as `text`, or as `[text](address)`.
    private func shown(_ text: String) -> String {
        let pieces = LinkedText.pieces(text)
        return pieces.map { piece in piece.link.map { "[\(piece.text)](\($0))" } ?? piece.text }.joined()
    }

    @Test(
        "An address ends where a reader ends it",
        arguments: [
            ("See https://example.com/a?b=c#d.", "See [https://example.com/a?b=c#d](https://example.com/a?b=c#d)."),
            ("(http://example.com)", "([http://example.com](http://example.com))"),
            (
                "https://example.org/wiki/A_(b), then",
                "[https://example.org/wiki/A_(b)](https://example.org/wiki/A_(b)), then"
            ),
            ("HTTPS://Example.com/!?", "[HTTPS://Example.com/](HTTPS://Example.com/)!?"),
            ("“https://example.com/x”", "“[https://example.com/x](https://example.com/x)”"),
            ("見てhttps://example.com/x。次", "見て[https://example.com/x](https://example.com/x)。次"),
            ("見て：https://example.com/x。次", "見て：[https://example.com/x](https://example.com/x)。次"),
            (
                "a http://a.example\nb http://b.example:81/",
                "a [http://a.example](http://a.example)\nb [http://b.example:81/](http://b.example:81/)"
            ),
            ("http://[::1]:8080/x", "[http://[::1]:8080/x](http://[::1]:8080/x)"),
            ("See www.example.org/x.", "See [www.example.org/x](https://www.example.org/x)."),
            ("WWW.Example.org", "[WWW.Example.org](https://WWW.Example.org)"),
            ("(www.münchen.example)", "([www.xn--mnchen-3ya.example](https://www.xn--mnchen-3ya.example))"),
        ])
    func ends(text: String, expected: String) { #expect(shown(text) == expected) }

    @Test(
        "No link is made of",
        arguments: [
            "www.", "www.example", "xwww.example.org", "www..", "www.user@evil.example", "javascript:alert(1)",
            "data:text/html,x", "ftp://example.com", "//example.com", "example.com",
            "xhttp://example.com", "1https://example.com", "http://", "https://?x", "https:/example.com",
            "https://paypal.com@evil.example/", "https://user:pw@example.com/", "https://ex%61mple.com/",
            "https://exa\u{202E}mple.com\u{202C}", "https://\u{200B}", "https://.", "http://exam ple",
            "https://example.com/" + String(repeating: "a", count: 2000),
        ])
    func refused(text: String) {
        for piece in LinkedText.pieces(text) {
            // An invisible character ends an address; its visible beginning may be one.
            #expect(piece.link == nil || piece.link == "https://exa" || piece.link == "http://exam", "\(text)")
        }
    }

    @Test(
        "A host beyond ASCII is shown as it is looked up",
        arguments: [
            ("https://аррӏе.com/login", "https://xn--80ak6aa92e.com/login"),
            ("https://א.example/x", "https://xn--4db.example/x"),
            ("https://xn--80ak6aa92e.com", "https://xn--80ak6aa92e.com"),
            ("https://ｅｘａｍｐｌｅ.com/", "https://example.com/"),
            ("https://münchen.example:81/straße", "https://xn--mnchen-3ya.example:81/straße"),
        ])
    func hosts(text: String, expected: String) throws {
        let piece = try #require(LinkedText.pieces(text).first)
        #expect(piece.text == expected)
        #expect(piece.link?.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } == true)
    }

    @Test("What cannot be seen is in no address", arguments: ["\u{202E}", "\u{2066}", "\u{200B}", "\u{7}", "\u{FEFF}"])
    func invisible(character: String) {
        let pieces = LinkedText.pieces("https://example.com/\(character)gpj.exe")
        #expect(pieces.map(\.link) == ["https://example.com/", nil])
    }

    @Test("The pieces are the text, and links are bounded in number") func many() {
        let text = Array(repeating: "http://example.com", count: 150).joined(separator: " ")
        let pieces = LinkedText.pieces(text)
        #expect(pieces.compactMap(\.link).count == LinkedText.mostLinks)
        #expect(pieces.map(\.text).joined() == text)
        #expect(LinkedText.pieces(String(repeating: "http://", count: 100_000)) == [])
        #expect(LinkedText.pieces(String(repeating: "http://a@ ", count: 50_000)) == [])
    }
}
