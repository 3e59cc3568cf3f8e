import CloudAccounts
import CloudHTTP
import CloudModel
import Foundation
import TestCloud
import Testing

@testable import CloudPages

/// Links to one picture of a page, and what is told of it.
@Suite(.timeLimit(.minutes(5)))
struct LinkedPictureTests {
    private static func key(_ number: Int) -> String {
        ItemKey(recordName: "\(TripFixture.id)_\(number)", field: "photoAsset", index: 0).text
    }

    private static func content(_ property: String, _ page: Answer) throws -> String? {
        let pattern = try Regex("property=\"\(property)\" content=\"([^\"]*)\"", as: (Substring, Substring).self)
        return try pattern.firstMatch(in: page.text).map { String($0.output.1) }
    }

    @Test("A link to a picture tells messengers this picture") func linked() async throws {
        try await TripFixture.run { trip in
            let whole = try await trip.server.send(.get, trip.path)
            #expect(try Self.content("og:image", whole)?.contains(Self.key(0)) == true)
            let one = try await trip.server.send(.get, "\(trip.path)?photo=\(Self.key(2))")
            #expect(one.status == 200)
            #expect(try Self.content("og:image", one)?.contains("/preview/cover/\(Self.key(2))?v=") == true)
            #expect(try Self.content("og:url", one) == "http://localhost\(trip.path)?photo=\(Self.key(2))")
            #expect(try Self.content("og:title", one) == Self.content("og:title", whole))
        }
    }

    @Test("A link to a picture that the page does not show is one to the page")
    func hidden() async throws {
        try await TripFixture.run { trip in
            _ = try await trip.settle(#"{"items": ["\#(TripFixture.id)_1"]}"#)
            let whole = try await trip.server.send(.get, trip.path)
            let other = ItemKey(recordName: "nothing", field: "photoAsset", index: 0).text
            for key in [Self.key(0), other, "none", "", String(repeating: "a", count: 3000), "%00", "a.b.-1"] {
                let page = try await trip.server.send(.get, "\(trip.path)?photo=\(key)")
                #expect(page.status == 200, "\(key)")
                for property in ["og:image", "og:url"] {
                    #expect(try Self.content(property, page) == Self.content(property, whole), "\(key)")
                }
            }
        }
    }

    @Test("A closed page tells nothing of a picture")
    func closed() async throws {
        try await TripFixture.run { trip in
            for body in [
                #"{"password": "fado"}"#, #"{"password": null, "takenDown": true}"#,
                #"{"takenDown": false, "expiresAt": 1000}"#,
            ] {
                _ = try await trip.settle(body)
                let page = try await trip.server.send(.get, "\(trip.path)?photo=\(Self.key(1))")
                #expect(page.status != 200, "\(body)")
                #expect(!page.text.contains("og:") && !page.text.contains("Lisbon"), "\(body)")
                let about = try await trip.server.send(.get, "\(trip.path)/about/\(Self.key(1))")
                #expect(about.status == page.status && !about.text.contains("Lisbon"), "\(body)")
            }
        }
    }

    private func lines(_ answer: Answer) -> [String: String] {
        var lines: [String: String] = [:]
        for line in answer["lines"]?.array ?? [] {
            lines[line[path: "label"]?.string ?? ""] = line[path: "text"]?.string
        }
        return lines
    }

    @Test("Of a picture the page tells name, size and day, in the visitor's language") func about() async throws {
        let day = Timestamp(wholeSeconds: 1_700_000_000)
        try await TripFixture.run(clock: { day }) { trip in
            let path = "\(trip.path)/about/\(Self.key(1))"
            let answer = try await trip.server.send(.get, path)
            #expect(answer.status == 200 && answer.headers[.cacheControl] == "no-store")
            let told = lines(answer)
            #expect(Set(told.keys) == ["Name", "Pixels", "Size", "Added"], "\(told)")
            #expect(told["Name"]?.hasPrefix("Lisbon") == true && told["Name"]?.hasSuffix(".jpg") == true)
            #expect(told["Added"] == "November 14, 2023")
            let german = try await trip.server.send(.get, path + "?lang=de")
            #expect(lines(german)["Hinzugefügt"] == "14. November 2023")
            for other in ["none", Self.key(9)] {
                #expect(try await trip.server.send(.get, "\(trip.path)/about/\(other)").status == 404)
            }
        }
    }

    @Test("Strangers are told the owner's name alone, members each other's") func adders() async throws {
        try await TripFixture.run { trip in
            for (email, name) in [("anna@example.com", "Anna"), ("ben@example.com", "Ben")] {
                _ = try await trip.server.accounts.users.create(email: email, givenName: name)
            }
            let anna = try await trip.server.signIn("anna@example.com", TripFixture.container)
            let ben = try await trip.server.signIn("ben@example.com", TripFixture.container)
            try await anna.makeZone("Z")
            try await anna.save(zone: "Z", "root", type: "Album", fields: #""title": {"value": "Our year"}"#)
            let guid = try await anna.share("root", in: "Z", permission: "READ_WRITE")
            #expect(try await ben.accept(guid)["results.0.participantStatus"] == "ACCEPTED")
            let annas = try await trip.upload(
                try TripFixture.photo("cat"), "annas", "Memory", "file", in: "private", zone: "Z", anna)
            _ = try await anna.modify(zone: "Z", [write("annas", annas)])
            let zone = #"Z", "ownerRecordName": "\#(anna.user)"#
            let bens = try await trip.upload(
                try TripFixture.photo("moon"), "bens", "Memory", "file", in: "shared", zone: zone, ben)
            _ = try await ben.shared("Z", of: anna.user).modify(write("bens", bens))
            let path = { (name: String) in
                "/share/\(guid)/about/\(ItemKey(recordName: name, field: "file", index: 0).text)"
            }
            #expect(lines(try await trip.server.send(.get, path("annas")))["Added by"] == "Anna")
            #expect(lines(try await trip.server.send(.get, path("bens")))["Size"] != nil)
            #expect(lines(try await trip.server.send(.get, path("bens")))["Added by"] == nil)
            for email in ["anna@example.com", "ben@example.com"] {
                let member = try await trip.browser(of: email)
                #expect(lines(try await member.open(path("annas")))["Added by"] == "Anna", "\(email)")
                #expect(lines(try await member.open(path("bens")))["Added by"] == "Ben", "\(email)")
            }
        }
    }

    private func write(_ name: String, _ value: String) -> String {
        Operation.write(
            "create", name, type: "Memory", fields: #""file": {"value": \#(value)}"#,
            extra: #", "parent": {"recordName": "root"}"#)
    }
}
