import CloudAccounts
import CloudPages
import CloudServer
import TestCloud
import CloudModel
import Foundation
import TestBrowser
import Testing

/// The console as a browser shows it at first sight.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct FirstSightBrowserTests {
    @Test("At 1280 pixels the overview, requests and shares show every column")
    func columns() async throws {
        try await TestServer.run(.live) { server in
            let console = ConsoleLooks(server: server)
            let looks = try await console.prepare()
            let long = try await server.signIn("mei@example.com", "iCloud.com.example.with.a.rather.long.name.photos")
            for index in 0..<3 { try await long.save("n\(index)") }
            let page = try await TestBrowser().page(width: 1280, height: 800)
            for name in [
                "overview", "data", "data-private", "record", "requests", "request", "request-conflict", "queries",
                "people",
                "person", "deletion", "shares", "push", "settings", "settings-audit", "settings-credentials",
            ] {
                try await looks.first { $0.name == name }?.show(on: page, at: console.origin)
                let lost =
                    "[...document.querySelectorAll('.sheet')].map(s => s.scrollWidth - s.clientWidth).filter(w => w > 0)"
                #expect(try await page.evaluate(lost) == .array([]), "\(name)")
            }
        }
    }

    @Test("A table of many fields shows as many columns as fit, and a link shows all")
    func columnsFit() async throws {
        try await TestServer.run(.live) { server in
            let mei = try await server.signIn("mei@example.com")
            let long = String(repeating: "a long text ", count: 8)
            let fields = (1...14).map { "\"field\($0)\": {\"value\": \"\(long)\"}" }.joined(separator: ", ")
            try await mei.save(in: "public", "n1", fields: fields + #", "title": {"value": "Lisbon"}"#)
            let data = "http://127.0.0.1:\(server.client.port ?? 0)/console/data?type=Note"
            let page = try await TestBrowser().page(width: 1280, height: 800)
            let hidden = "document.querySelector('.sheet').scrollWidth - document.querySelector('.sheet').clientWidth"
            let seen = "[...document.querySelectorAll('thead th')].filter(head => head.offsetWidth > 0).length"
            var counts: [Int64] = []
            for width in [1100, 1280, 1600, 1920] {
                try await page.resize(width: width, height: 800, dark: false)
                try await page.open(data)
                #expect(try await page.evaluate(hidden) == .integer(0), "\(width)")
                counts.append(try await page.evaluate(seen).integer ?? 0)
                #expect(try await page.text.contains("All columns"))
            }
            #expect(counts[1] >= 5 && counts == counts.sorted() && counts[3] > counts[1], "\(counts)")
            // What is cut off is told to whoever points at it.
            #expect(try await page.text(of: "document.querySelector('td .clip').title").isEmpty)
            try await page.evaluate(
                "document.querySelector('td span.clip').dispatchEvent(new PointerEvent('pointerover', {bubbles: true}))"
            )
            #expect(try await page.text(of: "document.querySelector('td span.clip').title").hasPrefix("a long text a"))
            try await page.load { try await page.click(".panel .all") }
            #expect(try await page.evaluate(seen) == .integer(19))
            #expect(try await page.text.contains("Fewer columns"))
            #expect(page.faults == [])
        }
    }

    @Test("The query builder is one line until the key / or a click opens it")
    func queryBuilder() async throws {
        try await TestServer.run(.live) { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save(in: "public", "n1", fields: #""stars": {"value": 1}"#)
            let page = try await TestBrowser().page(width: 390, height: 844)
            try await page.open("http://127.0.0.1:\(server.client.port ?? 0)/console/data")
            let height = "document.querySelector('.fold').offsetHeight"
            #expect(try await page.evaluate("\(height) < 60") == .bool(true))
            try await page.press("/")
            #expect(
                try await page.evaluate("\(height) > 150 && document.activeElement.name === 'value'") == .bool(true))
            #expect(page.faults == [])
        }
    }

    @Test("An operator scans the QR code from the page, light and dark, and keeps the recovery codes")
    func secondFactor() async throws {
        try await TestServer.run(.live, dev: false, configure: { $0.consoleIsEnabled = true }) { server in
            _ = try await server.accounts.users.create(email: ConsoleOperator.email)
            _ = try await server.accounts.users.setPassword(ConsoleOperator.password, email: ConsoleOperator.email)
            let added = try await server.accounts.operators.add(email: ConsoleOperator.email, role: .owner)
            let page = try await TestBrowser().page(width: 390, height: 844)
            try await page.open("http://127.0.0.1:\(server.client.port ?? 0)/console")
            try await page.type(ConsoleOperator.email, into: "#email")
            try await page.type(ConsoleOperator.password, into: "#password")
            try await page.load { try await page.click("main .main") }
            let address = try await page.text(of: "document.querySelector('a.wide').href")
            let secret = try await page.text(of: "document.querySelector('.code-key').textContent").replacing(
                " ", with: "")
            #expect(address.hasPrefix("otpauth://totp/") && address.contains("secret=\(secret)&"))
            for dark in [false, true] {
                try await page.resize(width: 390, height: 844, dark: dark)
                let answer = try await page.send("Page.captureScreenshot", ["format": .string("png")])
                let shot = try #require(answer["data"]?.string)
                let picture = try #require(Data(base64Encoded: shot))
                #expect(try await QRPicture.read(picture) == [address])
            }
            let code = OneTimeCode(secret: ConsoleOperator.bytes(of: secret))
            try await page.type(added.code, into: "#enrolment")
            try await page.type(code.code(step: OneTimeCode.step(at: server.accounts.now())), into: "#code")
            try await page.load { try await page.click("main .main") }
            let shown = try await page.evaluate(
                "[...document.querySelectorAll('#codes li')].map(item => item.textContent)")
            let codes = (shown.array ?? []).compactMap(\.string)
            #expect(codes.count == 10)
            let file = try await page.download { try await page.click("a[download]") }
            #expect(file.name == "cumulus-recovery-codes.txt")
            #expect(String(decoding: file.bytes, as: UTF8.self).split(separator: "\n").map(String.init) == codes)
            try await page.evaluate(
                "navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve() }")
            try await page.click("[data-do=copy]")
            try await page.wait(for: "document.querySelector('.toast')")
            #expect(try await page.text(of: "window.copied.trim()") == codes.joined(separator: "\n"))
            #expect(page.faults == [])
        }
    }
}
