import CloudModel
import Foundation
import TestBrowser
import Testing

/// The blocks of `docs/` that a browser runs work as they stand there.
@Suite(.timeLimit(.minutes(20)))
struct ReadmeClientsTests {
    @Test("The JavaScript example of docs/notifications.md works") func notifications() async throws {
        let program = try Program()
        let server = try await RunningServer(program, "--dev")
        let person = try await DevelopmentPerson(server)
        _ = try await person.create(["first"], text: "")
        _ = try await person.send(
            "subscriptions/modify",
            """
            {"operations": [{"operationType": "create", "subscription": {"subscriptionID": "notes",
                "subscriptionType": "query", "firesOn": ["create"], "query": {"recordType": "Note"}}}]}
            """)
        let answer = try await person.post(
            "/device/1/c/development/tokens/create", #"{"apnsEnvironment": "development", "clientId": "browser"}"#)
        let courier = try #require(try JSONParser.parse(Array(answer.body)).object?["webcourierURL"]?.string)
        let browser = try await TestBrowser()
        let page = try await browser.page()
        try await page.open(server.origin + "/health")
        let client = try #require(try DocumentPage("docs/notifications.md").blocks("js browser").first)
        try await page.evaluate(
            "window.said = []; console.log = (...words) => said.push(words.slice(0, 2).join(' '));\n"
                + "const courier = '\(courier)';\n\(client)")
        _ = try await person.create(["second"], text: "")
        _ = try await person.create(["third"], text: "")
        try await page.wait(for: "said.length == 2")
        #expect(try await page.text(of: "said.join()") == "created second,created third")
        #expect(await server.stop() == 0)
    }
}
