import CloudAccounts
import CloudModel
import TestStore
import Testing

/// The codes of an authenticator app, by the vectors of RFC 6238 and RFC 4648.
struct OneTimeCodeTests {
    private static let code = OneTimeCode(secret: Array("12345678901234567890".utf8))

    @Test(
        "One-time codes agree with RFC 6238",
        arguments: [
            (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
            (2_000_000_000, "279037"), (20_000_000_000, "353130"),
        ] as [(Int64, String)])
    func standard(seconds: Int64, text: String) {
        let time = Timestamp(milliseconds: seconds * 1000)
        #expect(Self.code.code(step: OneTimeCode.step(at: time)) == text)
        #expect(Self.code.step(of: text, at: time, after: 0) == seconds / 30)
        #expect(Self.code.step(of: text, at: time, after: seconds / 30) == nil)
    }

    @Test(
        "A code is accepted one step early or late",
        arguments: [(-61, false), (-30, true), (0, true), (30, true), (61, false)] as [(Int64, Bool)])
    func drift(seconds: Int64, isGood: Bool) {
        let now = Timestamp(milliseconds: 1_790_000_010_000)
        let typed = Self.code.code(step: OneTimeCode.step(at: now + .seconds(seconds)))
        #expect((Self.code.step(of: typed, at: now, after: 0) != nil) == isGood)
    }

    @Test(
        "Secrets are shown in base32",
        arguments: [
            ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
            ("foobar", "MZXW6YTBOI"),
        ])
    func base32(text: String, encoded: String) {
        #expect(Base32.encode(Array(text.utf8)) == encoded)
    }
}
