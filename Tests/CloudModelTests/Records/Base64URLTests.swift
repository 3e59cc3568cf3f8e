import CloudModel
import Testing

struct Base64URLTests {
    @Test("Bytes survive encoding as base64url, which needs no escaping in a URL")
    func roundTrip() {
        for count in 0..<100 {
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max) }
            let text = Base64URL.encode(bytes)
            #expect(Base64URL.decode(text) == bytes)
            #expect(text.utf8.allSatisfy { Self.alphabet.contains($0) })
        }
    }

    @Test(
        "Bytes have exactly one base64url text",
        arguments: [
            ("", []), ("AA", [0]), ("AAA", [0, 0]), ("AAAA", [0, 0, 0]), ("_w", [255]), ("-_8", [251, 255]),
        ] as [(String, [UInt8])])
    func text(text: String, bytes: [UInt8]) {
        #expect(Base64URL.encode(bytes) == text)
        #expect(Base64URL.decode(text) == bytes)
        for letter in Self.alphabet where !text.isEmpty {
            let changed = text.dropLast() + String(UnicodeScalar(letter))
            if changed != text { #expect(Base64URL.decode(String(changed)) != bytes, "\(changed)") }
        }
    }

    @Test(
        "Base64url other than the canonical encoding is refused",
        arguments: [
            // Bits that mean nothing.
            "AB", "AP", "AAB", "AAD", "_x", "-_9",
            // Padding.
            "AA==", "AAA=", "AA=", "=", "AAAA=", "AAAA====",
            // The other alphabet.
            "/w", "+/8", "-/8", "+_8",
            // No base64 at all.
            "A", "AAAAA", "A A", "AA\n", " AA", "AÄ", "AA.A", "AA\u{0}",
        ])
    func refused(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
}
