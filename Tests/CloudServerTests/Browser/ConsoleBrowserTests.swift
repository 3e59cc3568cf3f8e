import CloudEngine
import TestCloud
import CloudModel
import Foundation
import TestBrowser
import Testing

/// The console in a browser: on a phone, by keys and without scripts. `AccessibilityBrowserTests` looks at every view with
/// hostile texts in every field.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct ConsoleBrowserTests {
    @Test("On a phone a record and a request take two lines each, and no table scrolls sideways")
    func phoneRows() async throws {
        try await TestServer.run(.live) { server in
            let console = ConsoleLooks(server: server)
            let page = try await TestBrowser().page(width: 360, height: 740)
            for look in try await console.prepare() where ["data", "requests", "people", "push"].contains(look.name) {
                try await look.show(on: page, at: console.origin)
                let wide = "[...document.querySelectorAll('.sheet')].filter(s => s.scrollWidth > s.clientWidth).length"
                #expect(try await page.evaluate(wide) == 0, "\(look.name)")
                guard ["data", "requests"].contains(look.name) else { continue }
                let rows = "[...document.querySelectorAll('.brief tbody tr')]"
                #expect(try await page.evaluate("\(rows).length > 7") == .bool(true))
                #expect(try await page.evaluate("\(rows).filter(r => r.offsetHeight > 62).length") == 0, "\(look.name)")
                #expect(try await page.evaluate("\(rows).filter(r => r.offsetWidth > 340).length") == 0)
            }
        }
    }

    @Test("Keyboard shortcuts of the console open views and rows") func keys() async throws {
        try await TestServer.run(.live) { server in
            let console = ConsoleLooks(server: server)
            _ = try await console.prepare()
            let page = try await TestBrowser().page()
            try await page.open(console.origin + "/console")
            try await page.press("g")
            try await page.load { try await page.press("d") }
            #expect(try await page.address.contains("/console/data"))
            try await page.press("j")
            try await page.load { try await page.press("Enter") }
            #expect(try await page.address.contains("/console/record"))
            #expect(page.faults == [])
        }
    }

    @Test("Unsaved input of a record survives an upload for one of its fields")
    func typedTexts() async throws {
        try await TestServer.run(.live) { server in
            let console = ConsoleLooks(server: server)
            #expect(try await server.makeOperator().importing(RecordForm.schema).status == 200)
            let mei = try await server.signIn("mei@example.com")
            try await mei.save(in: "public", "n1", fields: #""title": {"value": "one"}, "stars": {"value": 1}"#)
            let page = try await TestBrowser().page()
            try await page.open(console.origin + "/console/record?\(RecordForm.place)&name=n1")
            try await page.type("typed", into: "[name='f.title']")
            try await page.click("[name='n.stars']")
            try await page.load { try await page.click("[form=replace]") }
            try await page.load { try await page.click(".bar a.button") }
            #expect(try await page.text.contains("2 changed"))
            try await page.load { try await page.click("[form=replace]") }
            let file = server.folder.path + "/a-file"
            try Data("a file".utf8).write(to: URL(filePath: file))
            try await page.choose(file, in: "#file")
            try await page.load { try await page.click("button.main") }
            #expect(try await page.text(of: "document.querySelector('[name=\"f.title\"]').value") == "typed")
            #expect(try await page.evaluate("document.querySelector('[name=\"n.stars\"]').checked") == .bool(true))
            try await page.load { try await page.click(".savebar .main") }
            let record = try await mei.lookup(in: "public", "n1")
            #expect(record["records.0.fields.title.value"] == "typed" && record["records.0.fields.stars"] == nil)
            #expect(record["records.0.fields.file.value.size"] == 6, "\(record.text)")
            #expect(try await page.evaluate("sessionStorage.length") == 0)
            #expect(page.faults == [])
        }
    }

    @Test("Without scripts, records are read and saved") func noScripts() async throws {
        try await TestServer.run(.live) { server in
            let console = ConsoleLooks(server: server)
            let data = try #require(try await console.prepare().first { $0.name == "data" })
            let page = try await TestBrowser().page(width: 360, height: 740)
            try await page.send("Emulation.setScriptExecutionDisabled", ["value": .bool(true)])
            try await page.open(console.origin + data.path)
            try await page.load { try await page.click("tbody a.row") }
            #expect(try await page.text.contains("Change tag"))
            try await page.load { try await page.click(".savebar button") }
            #expect(try await page.text.contains("Change tag"))
        }
    }
}
