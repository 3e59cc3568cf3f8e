@testable import CloudHTTP
import TestCloud
import CloudModel
import TestBrowser
import Testing

/// The list of requests while somebody looks at it.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct LiveRequestsBrowserTests {
    /// A server, somebody's app, and the list of their requests in a browser.
    fileprivate struct Watch: Sendable {
        /// What the page says of itself, as an expression.
        static let state = "document.querySelector('[data-live-state]').innerText"

        let app: App
        let page: BrowserPage

        static func run(_ body: @Sendable (Watch) async throws -> Void) async throws {
            try await TestServer.run(.live) { server in
                let mei = try await server.signIn("mei@example.com")
                _ = try await mei.get("private/zones/list")
                let page = try await TestBrowser().page()
                let origin = "http://127.0.0.1:\(server.client.port ?? 0)"
                try await page.open("\(origin)/console/requests?matching=\(mei.user)")
                try await page.wait(for: "\(state) == 'live'")
                try await body(Watch(app: mei, page: page))
                #expect(page.faults == [])
            }
        }

        /// Makes a request, and gives an expression that is true while it is in the table.
        func request() async throws -> String {
            let answer = try await app.get("private/zones/list")
            let name = try #require(HTTPField.Name("X-Apple-Request-UUID"))
            return "document.querySelector('tbody a[href*=\"\(try #require(answer.headers[name]))\"]') != null"
        }

        func isTrue(_ expression: String) async throws -> Bool { try await page.evaluate(expression) == true }

        func waitForNews(_ text: String) async throws {
            try await page.wait(
                for: "(b => !b.hidden && b.innerText == '\(text)')(document.querySelector('[data-live-news]'))")
        }
    }

    @Test("A request that ends while the list is open appears in it")
    func appears() async throws {
        try await Watch.run { watch in
            for _ in 0..<2 {
                let isShown = try await watch.request()
                #expect(try await !watch.isTrue(isShown))
                try await watch.page.wait(for: isShown)
            }
            #expect(try await watch.isTrue("document.querySelectorAll('tbody tr').length == 3"))
            #expect(try await watch.isTrue("document.querySelector('[data-live-news]').hidden"))
        }
    }

    @Test("While the table has the focus it does not change, and a notice counts new requests")
    func focus() async throws {
        try await Watch.run { watch in
            try await watch.page.evaluate("document.querySelector('tbody tr').focus()")
            let first = try await watch.request()
            try await watch.waitForNews("1 new")
            let second = try await watch.request()
            try await watch.waitForNews("2 new")
            #expect(try await watch.isTrue("!(\(first)) && !(\(second))"))
            #expect(try await watch.isTrue("document.activeElement.matches('tbody tr')"))
            #expect(try await watch.isTrue("document.querySelector('[role=status] [data-live-news]') != null"))
            try await watch.page.evaluate("document.querySelector('[data-find]').focus()")
            try await watch.page.wait(for: "\(first) && \(second)")
            #expect(try await watch.isTrue("document.querySelector('[data-live-news]').hidden"))
        }
    }

    @Test("Activating the notice by keyboard shows the new rows and focuses the first")
    func notice() async throws {
        try await Watch.run { watch in
            try await watch.page.evaluate("document.querySelector('tbody tr').focus()")
            let isShown = try await watch.request()
            try await watch.waitForNews("1 new")
            try await watch.page.evaluate("document.querySelector('[data-live-news]').focus()")
            #expect(try await !watch.isTrue(isShown))
            try await watch.page.press("Enter")
            try await watch.page.wait(for: isShown)
            #expect(try await watch.isTrue("document.activeElement == document.querySelector('tbody tr')"))
        }
    }

    @Test("While the pointer is over the table it does not change")
    func pointer() async throws {
        try await Watch.run { watch in
            let box = "document.querySelector('tbody tr').getBoundingClientRect()"
            let x = try await watch.page.text(of: "String(\(box).x + 5)")
            let y = try await watch.page.text(of: "String(\(box).y + 5)")
            try await watch.move(toX: try #require(Double(x)), y: try #require(Double(y)))
            let isShown = try await watch.request()
            try await watch.waitForNews("1 new")
            #expect(try await !watch.isTrue(isShown))
            try await watch.move(toX: 2, y: 2)
            try await watch.page.wait(for: isShown)
        }
    }

    @Test("The live list retries after an error, and stops once its reader is signed out")
    func errors() async throws {
        try await Watch.run { watch in
            let page = watch.page
            try await page.evaluate("window.own = window.fetch; window.fetch = async () => ({ok: false, status: 500})")
            try await page.wait(for: "\(Watch.state).includes('trying again')")
            try await page.evaluate("window.fetch = window.own")
            let isShown = try await watch.request()
            try await page.wait(for: isShown)
            #expect(try await watch.isTrue("\(Watch.state) == 'live'"))
            try await page.evaluate("window.fetch = async () => ({type: 'opaqueredirect', status: 0})")
            try await page.wait(for: "\(Watch.state).includes('reload the page')")
        }
    }

    @Test("A hidden page sends no requests")
    func hidden() async throws {
        try await Watch.run { watch in
            let page = watch.page
            try await page.evaluate(
                """
                window.asked = 0
                window.own = window.fetch
                window.fetch = (...rest) => { window.asked += 1; return window.own(...rest) }
                Object.defineProperty(document, "hidden", {value: true, configurable: true})
                document.dispatchEvent(new Event("visibilitychange"))
                """)
            let isShown = try await watch.request()
            // Longer than the pace of the list: a timer of the page's own tells.
            try await page.evaluate("new Promise(done => setTimeout(done, 2500))")
            #expect(try await watch.isTrue("window.asked == 0"))
            try await page.evaluate(
                "delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))")
            try await page.wait(for: isShown)
        }
    }
}

extension LiveRequestsBrowserTests.Watch {
    fileprivate func move(toX x: Double, y: Double) async throws {
        try await page.send(
            "Input.dispatchMouseEvent", ["type": "mouseMoved", "x": .number(x), "y": .number(y)])
    }
}
