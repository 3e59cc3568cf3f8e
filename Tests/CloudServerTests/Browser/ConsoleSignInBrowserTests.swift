import CloudAccounts
import CloudPages
import CloudServer
import TestCloud
import CloudModel
import TestBrowser
import Testing

/// An operator's first sign-in to the console in a browser.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct ConsoleSignInBrowserTests {
    @Test("Each operator sign-in page passes the accessibility rules, narrow and wide, light and dark")
    func pages() async throws {
        try await TestServer.run(.live, dev: false, configure: { $0.consoleIsEnabled = true }) { server in
            _ = try await server.accounts.users.create(email: ConsoleOperator.email)
            _ = try await server.accounts.users.setPassword(ConsoleOperator.password, email: ConsoleOperator.email)
            let added = try await server.accounts.operators.add(email: ConsoleOperator.email, role: .owner)
            let page = try await TestBrowser().page()
            try await page.open("http://127.0.0.1:\(server.client.port ?? 0)/console")
            try await look(page, "signin")
            try await page.type(ConsoleOperator.email, into: "#email")
            try await page.type(ConsoleOperator.password, into: "#password")
            try await page.load { try await page.click("main .main") }
            try await look(page, "code")
            let secret = try await page.text(of: "document.querySelector('.code-key').textContent")
            let code = OneTimeCode(secret: ConsoleOperator.bytes(of: secret.replacing(" ", with: "")))
            try await page.type(added.code, into: "#enrolment")
            try await page.type(code.code(step: OneTimeCode.step(at: server.accounts.now())), into: "#code")
            try await page.load { try await page.click("main .main") }
            #expect(try await page.text.contains("Recovery codes"))
            try await look(page, "recovery")
            try await page.load { try await page.click("main .main") }
            #expect(try await page.text.contains("Overview"))
            try await page.load { try await page.evaluate("document.querySelector('form.foot button').click()") }
            #expect(try await page.address.contains("/console/signin"))
            #expect(page.faults == [])
        }
    }

    private func look(_ page: BrowserPage, _ name: String) async throws {
        for width in [360, 1280] {
            for dark in [false, true] {
                try await page.resize(width: width, height: width == 360 ? 740 : 800, dark: dark)
                #expect(try await page.violations() == [], "\(name) \(width)")
                let excess = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
                #expect(try await page.evaluate(excess) == 0, "\(name) \(width)")
                try await page.screenshot("console-\(name)-\(width)-\(dark ? "dark" : "light")", whole: false)
            }
        }
    }
}
