import CloudModel
import Testing

@testable import CloudAccounts

@Suite("Names of browsers", .timeLimit(.minutes(1))) struct BrowserNameTests {
    @Test(
        "A browser is known by its product, and its device by the system",
        arguments: [
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
                "Safari/iPhone"
            ),
            (
                "Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/130.0 Mobile/15E148 Safari/604.1",
                "Chrome/iPad"
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15",
                "Safari/Mac"
            ),
            ("Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox/Windows"),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
                "Edge/Windows"
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36",
                "Samsung Internet/Android"
            ),
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 OPR/120.0.0.0",
                "Opera/Linux"
            ),
            (
                "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
                "Chrome/Chromebook"
            ),
            ("curl/8.5.0", nil), ("", nil), (nil, nil), ("<b>Firefox/1</b> Linux", nil),
            (String(repeating: "x", count: 600) + " (iPhone Safari/1", nil),
        ] as [(String?, String?)])
    func names(agent: String?, text: String?) {
        let name = BrowserName(userAgent: agent)
        #expect(name?.text == text)
        #expect(BrowserName(text: text) == name)
    }

    @Test("A stored text that is no name is none", arguments: ["Safari", "Safari/", "Mosaic/Mac", "Safari/Mac/x", "/"])
    func stored(text: String) { #expect(BrowserName(text: text) == nil) }

    @Test("A name is at most 30 bytes") func length() {
        for browser in BrowserName.Browser.allCases {
            for device in BrowserName.Device.allCases {
                #expect(browser.rawValue.utf8.count + 1 + device.rawValue.utf8.count <= 30)
            }
        }
    }
}
