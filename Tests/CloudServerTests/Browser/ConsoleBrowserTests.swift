import CloudModel
import CloudStore
import HummingbirdTesting
import TestBrowser
import Testing

/// The console in a browser: hostile texts in every field, narrow and wide, by day and by night, by keys and without
/// scripts.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct ConsoleBrowserTests {
    private static let hostile = [
        "<script>document.title='taken'</script>", "\\\"><img src=x onerror=document.title='taken'>",
        "'; document.title='taken'; '", "</textarea><script>document.title='taken'</script>", "{{title}} {{{form}}}",
        "\\u202Etaken\\u202C", "\\\"\\u0301 onfocus=document.title='taken' autofocus x=\\\"",
        "javascript:document.title='taken'",
    ]

    private func filled(_ server: TestServer) async throws -> (origin: String, paths: [String]) {
        let container = "iCloud.com.example.test"
        let mei = try await server.signIn("mei@example.com")
        _ = try await server.accounts.createUserAccount(
            email: "omar@example.com", givenName: "<script>document.title='taken'</script>", familyName: "\"><b>x")
        for (index, text) in Self.hostile.enumerated() {
            for database in ["public", "private"] {
                try await mei.save(
                    in: database, "n\(index)<b>&\\\"'",
                    fields:
                        #""title": {"value": "\#(text)"}, "stars": {"value": \#(index)}, "list": {"value": ["\#(text)"]}"#
                )
            }
        }
        try await mei.makeZone("<i>zone</i>")
        try await mei.save(zone: "<i>zone</i>", "l", type: "List", fields: #""title": {"value": "x"}"#)
        try await mei.share("l", in: "<i>zone</i>")
        _ = try await server.accounts.createAPIToken(
            container: container, environment: .development, name: "<script>document.title='taken'</script>",
            allowedOrigins: [], signInCallback: nil)
        let place = "container=\(container)&environment=development"
        let record = "n0%3Cb%3E%26%22%27"
        let port = try #require(server.client.port)
        return (
            "http://127.0.0.1:\(port)",
            [
                "/console", "/console/data?\(place)&type=Note", "/console/data?\(place)&user=\(mei.user)",
                "/console/record?\(place)&name=\(record)",
                "/console/record?\(place)&user=\(mei.user)&name=\(record)", "/console/schema?\(place)",
                "/console/deploy?\(place)", "/console/people", "/console/people?matching=%3Cscript%3E%22%27",
                "/console/person?email=mei@example.com", "/console/person?email=omar@example.com",
                "/console/shares?\(place)", "/console/push?\(place)", "/console/settings", "/console/requests",
                "/console/requests?matching=%3Cscript%3E%22%27",
                "/console/data?\(place)&type=%3Cscript%3E&sort=%22onx&zone=_defaultZone",
            ]
        )
    }

    @Test func hostileTextsStayTextsInEveryViewAndSize() async throws {
        try await TestServer.run(.live) { server in
            let (origin, paths) = try await filled(server)
            let page = try await TestBrowser(bound: 1200).page()
            for (index, path) in paths.enumerated() {
                for (width, dark) in [(360, false), (360, true), (1280, false), (1280, true)] {
                    try await page.resize(width: width, height: width == 360 ? 740 : 800, dark: dark)
                    try await page.open("about:blank")
                    try await page.open(origin + path)
                    let title = try await page.text(of: "document.title")
                    #expect(!title.contains("taken"), "\(path)")
                    // Denser than the pages for everybody, and as little as those wider than the screen.
                    let excess = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
                    #expect(try await page.evaluate(excess) == 0, "\(path)")
                    try await page.screenshot(
                        "console-\(index)-\(width)-\(dark ? "dark" : "light")", whole: false)
                }
            }
            #expect(page.faults.filter { !$0.contains("status of 4") } == [])
        }
    }

    @Test func keysGoToViewsAndOpenRows() async throws {
        try await TestServer.run(.live) { server in
            let (origin, _) = try await filled(server)
            let page = try await TestBrowser().page()
            try await page.open(origin + "/console")
            try await page.press("g")
            try await page.load { try await page.press("d") }
            #expect(try await page.address.contains("/console/data"))
            try await page.press("j")
            try await page.load { try await page.press("Enter") }
            #expect(try await page.address.contains("/console/record"))
            #expect(page.faults == [])
        }
    }

    @Test func withoutScriptsRecordsAreReadAndSaved() async throws {
        try await TestServer.run(.live) { server in
            let (origin, paths) = try await filled(server)
            let page = try await TestBrowser().page(width: 360, height: 740)
            try await page.send("Emulation.setScriptExecutionDisabled", ["value": .bool(true)])
            try await page.open(origin + paths[1])
            try await page.load { try await page.click("tbody a.row") }
            #expect(try await page.text.contains("Change tag"))
            try await page.load { try await page.click(".savebar button") }
            #expect(try await page.text.contains("Change tag"))
        }
    }
}
