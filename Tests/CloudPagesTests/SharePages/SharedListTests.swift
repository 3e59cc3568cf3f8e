import CloudHTTP
import CloudModel
import Foundation
import TestCloud
import Testing

@testable import CloudAccounts
@testable import CloudPages

/// A shopping list of one record type, and the words around pages of others.
@Suite("Shared lists", .timeLimit(.minutes(5))) struct SharedListTests {
    private static let items = [
        ("milk", #""title": {"value": "Milk"}, "done": {"value": 1}, "quantity": {"value": 1}"#),
        ("bread", #""title": {"value": "Bread"}, "done": {"value": 0}, "quantity": {"value": 1}"#),
        ("tea", #""title": {"value": "Tea from https://tea.example/green."}, "done": {"value": 1}"#),
    ]

    /// Shares a list, and answers its path.
    private func share(
        _ trip: TripFixture, zone: String = "lists", permission: String = "READ_ONLY", others: [(String, String)] = [],
        fields: String = #""title": {"value": "Shopping"}, "isUrgent": {"value": 1}"#
    ) async throws -> String {
        let app = trip.sender
        try await app.makeZone(zone)
        try await app.save(zone: zone, "list", type: "List", fields: fields)
        let operations = (Self.items.map { ("Item", $0) } + others.map { ("Shop", $0) }).map { type, item in
            Operation.write(
                "create", item.0, type: type, fields: item.1, extra: #", "parent": {"recordName": "list"}"#)
        }
        _ = try await app.modify(zone: zone, operations)
        return "/share/" + (try await app.share("list", in: zone, permission: permission))
    }

    private func tick(_ word: String, isOn: Bool) -> String {
        #"<span class="tick\#(isOn ? " on" : "")" role="img" aria-label="\#(word)"></span>"#
    }

    @Test("Fields of 0 and 1 are ticks in the visitor's language, and amounts stay numbers") func ticks() async throws {
        try await TripFixture.run { trip in
            let path = try await share(trip)
            let page = try await trip.server.send(.get, path).text
            #expect(page.matches(of: #/data-label="Done"><span class="tick on"/#).count == 2)
            #expect(page.contains(#"data-label="Done">"# + tick("No", isOn: false)))
            #expect(page.contains(#"data-label="Quantity">1</td>"#))
            #expect(page.contains(#"<dt dir="auto">Is urgent</dt><dd dir="auto">"# + tick("Yes", isOn: true)))
            for (tag, yes, no) in [("de", "Ja", "Nein"), ("ar", "نعم", "لا"), ("ja", "はい", "いいえ")] {
                let page = try await trip.server.send(.get, path + "?lang=\(tag)").text
                #expect(page.contains(tick(yes, isOn: true)) && page.contains(tick(no, isOn: false)), "\(tag)")
            }
            _ = try await trip.sender.modify(
                zone: "lists",
                [
                    Operation.write(
                        "create", "salt", type: "Item", fields: #""done": {"value": 2}"#,
                        extra: #", "parent": {"recordName": "list"}"#)
                ])
            let counted = try await trip.server.send(.get, path).text
            #expect(counted.contains(#"data-label="Done">2</td>"#) && !counted.contains(#"data-label="Done"><span"#))
        }
    }

    @Test("A single type has no heading, and several have one each") func headings() async throws {
        try await TripFixture.run { trip in
            let single = try await trip.server.send(.get, try await share(trip)).text
            #expect(!single.contains("<h2 dir=\"auto\">Item</h2>") && single.contains(#"aria-label="Item""#))
            let path = try await share(trip, zone: "more", others: [("shop", #""title": {"value": "Corner"}"#)])
            let several = try await trip.server.send(.get, path).text
            for type in ["Item", "Shop"] { #expect(several.contains("<h2 dir=\"auto\">\(type)</h2>")) }
        }
    }

    @Test("Web addresses in notes, details and tables are links") func links() async throws {
        try await TripFixture.run { trip in
            let fields = #"""
                "note": {"value": "At https://a.example/?x=1&y=2, or <b> http://א.example"},
                "shop": {"value": "Corner (https://b.example)"}, "trick": {"value": "x javascript:alert(1)"}
                """#
            let page = try await trip.server.send(.get, try await share(trip, fields: fields)).text
            let rest = #"rel="noopener nofollow ugc" dir="ltr">"#
            for (link, text) in [
                ("https://a.example/?x=1&amp;y=2", "https://a.example/?x=1&amp;y=2"),
                ("http://xn--4db.example", "http://xn--4db.example"), ("https://b.example", "https://b.example"),
                ("https://tea.example/green", "https://tea.example/green"),
            ] { #expect(page.contains("<a href=\"\(link)\" \(rest)\(text)</a>"), "\(link)") }
            #expect(page.contains("or &lt;b&gt; <a") && page.contains("</a>)</dd>"))
            #expect(!page.contains(#"href="javascript"#))
        }
    }

    @Test("Joining names the app of the container's page rules, and without one no app") func appName() async throws {
        try await TripFixture.run { trip in
            let path = try await share(trip, permission: "READ_WRITE")
            #expect(
                try await trip.server.send(.get, path).text
                    .contains("Join to have it in Trips as well, and to change it there."))
            try await trip.server.accounts.pageRules.remove(
                recordType: "SharedVacation", container: TripFixture.container)
            let page = try await trip.server.send(.get, path).text
            #expect(page.contains("Join to become a member who may change it.") && !page.contains("your app"))
        }
    }

    @Test("A locked page says that something is shared, and tells messengers nothing") func locked() async throws {
        try await TripFixture.run { trip in
            let invited = try await share(trip, permission: "NONE")
            let locked = try await share(trip, zone: "locked")
            _ = try await trip.settle(#"{"password": "fado"}"#, id: String(locked.dropFirst("/share/".count)))
            for path in [invited, locked] {
                let page = try await trip.server.send(.get, path)
                #expect(page.status == 403)
                #expect(page.text.contains("<h1>Somebody shares something with you</h1>"))
                for told in ["og:", "twitter:", "Shopping", "Milk", "Trips", "Mei"] {
                    #expect(!page.text.contains(told), "\(told)")
                }
            }
        }
    }

    @Test("Messengers are told the language and region of the texts")
    func locale() async throws {
        try await TripFixture.run { trip in
            for (accepted, locale) in [
                ("en", "en_US"), ("en-GB", "en_GB"), ("de", "de_DE"), ("pt", "pt_BR"), ("zh", "zh_CN"), ("ja", "ja_JP"),
            ] {
                let page = try await trip.server.send(.get, trip.path, headers: [.acceptLanguage: accepted]).text
                #expect(page.contains(#"<meta property="og:locale" content="\#(locale)">"#), "\(accepted)")
            }
        }
    }
}
