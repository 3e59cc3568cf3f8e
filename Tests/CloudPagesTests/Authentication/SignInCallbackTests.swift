@testable import CloudPages
import Testing

struct SignInCallbackTests {
    @Test(
        "A callback's own query is kept when tokens are added",
        arguments: [
            ("https://a.example/in", "https://a.example/in?t=1%2B%2F%3D"),
            ("https://a.example/in?x=1", "https://a.example/in?x=1&t=1%2B%2F%3D"),
            ("https://a.example/in?", "https://a.example/in?t=1%2B%2F%3D"),
            ("https://a.example/in?x=1#top", "https://a.example/in?x=1&t=1%2B%2F%3D#top"),
            ("https://a.example", "https://a.example?t=1%2B%2F%3D"),
            ("cloudkit-icloud.com.x://done", "cloudkit-icloud.com.x://done?t=1%2B%2F%3D"),
            ("https://a.example/ü\r\nSet-Cookie: x", "https://a.example/%C3%BC%0D%0ASet-Cookie:%20x?t=1%2B%2F%3D"),
        ])
    func ownQuery(url: String, expected: String) {
        #expect(SignInCallback(url).adding([("t", "1+/=")]) == expected)
    }

    @Test(
        "The content policy of the sign-in page names the callback's origin or scheme",
        arguments: [
            ("https://a.example/in?x", "https://a.example"), ("http://localhost:3000/in", "http://localhost:3000"),
            ("cloudkit-icloud.com.x://done", "cloudkit-icloud.com.x:"), ("https://A.example:443/", "https://a.example"),
        ])
    func contentPolicy(url: String, expected: String) {
        #expect(SignInCallback(url).policySource == expected)
    }

    @Test(
        "A return path that leads to another server is refused",
        arguments: [
            "https://evil.example", "//evil.example", "/\\evil.example", "/\t/evil.example", "\\\\evil.example", "",
            "a",
            "javascript:alert(1)", "/a\nb", "/é", " /a", "/" + String(repeating: "a", count: 2000),
        ])
    func otherServer(text: String) {
        #expect(OwnPath(text) == nil)
    }

    @Test("A return path on this server is kept", arguments: ["/", "/share/abc", "/share/abc?x=1&y=//z#top"])
    func ownPath(text: String) {
        #expect(OwnPath(text)?.text == text)
    }
}
