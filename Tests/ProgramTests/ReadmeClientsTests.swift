import CloudModel
import Foundation
import TestBrowser
import Testing

/// The clients that `docs/` shows work as they stand there.
@Suite(.timeLimit(.minutes(20)))
struct ReadmeClientsTests {
    /// Two of them, which share what each sets and removes.
    private static let twoDevices = """
        let credentials = zip(["ckAPIToken", "ckWebAuthToken"], CommandLine.arguments.dropFirst(2)).map(URLQueryItem.init)
        let store = URL(string: CommandLine.arguments[1])!
        let (phone, tablet) = (KeyValues(store, credentials), KeyValues(store, credentials))
        phone.pending = ["SFO": ["type": "STRING", "value": "KSFO"], "tries": ["type": "INT64", "value": 3]]
        try await phone.synchronize()
        try await tablet.synchronize()
        tablet.pending = ["RIX": ["type": "STRING", "value": "EVRA"], "tries": NSNull()]
        try await tablet.synchronize()
        try await phone.synchronize()
        for device in [phone, tablet] {
            print(device.values.keys.sorted(), (device.values["SFO"] as? [String: Any])?["value"] ?? "nothing")
        }
        """

    @Test("The Swift example of docs/key-value.md works") func theKeyValueStoreInSwift() async throws {
        let program = try Program()
        let client = try #require(try DocumentPage("docs/key-value.md").blocks("swift").first)
        let source = try program.file("main.swift", client + "\n\n" + Self.twoDevices)
        let server = try await RunningServer(program, "--dev")
        let signIn = try #require(try DocumentPage("docs/tour.md").blocks("sh").first)
            .replacing("http://127.0.0.1:8080", with: server.origin)
        // A compiler is there, since it has built this test, but not always where programs are.
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let outcome = try await program.bash(
            """
            \(signIn)
            echo
            PATH="$PATH:\(path)" swiftc -swift-version 6 '\(source.path())' -o '\(program.folder.path())/client'
            '\(program.folder.path())/client' "$origin/keyvalue/1/$container/development" "$token" \
                "$(jq -r .ckWebAuthToken <<<"$session")"
            """)
        #expect(outcome.status == 0, "\(outcome.output)\n\(outcome.errors)")
        let said = outcome.output.split(separator: "\n").suffix(2)
        #expect(said == [#"["RIX", "SFO"] KSFO"#, #"["RIX", "SFO"] KSFO"#])
        #expect(await server.stop() == 0)
    }

    @Test("The JavaScript example of docs/notifications.md works") func theEventsInJavaScript() async throws {
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
        let client = try #require(try DocumentPage("docs/notifications.md").blocks("js").first)
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
