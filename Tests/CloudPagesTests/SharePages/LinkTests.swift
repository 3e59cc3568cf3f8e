@testable import CloudHTTP
@testable import CloudPages
import CloudServer
import TestCloud
import CloudModel
import Foundation
import NIOCore
import Synchronization
import Testing

struct LinkTests {
    @Test("An owner lists their shares and pages with the links") func listing() async throws {
        try await TripFixture.run { trip in
            let answer = try await trip.server.send(.get, trip.links())
            #expect(answer["links.0.id"]?.string == TripFixture.id)
            #expect(answer["links.0.title"]?.string == "Lisbon <b>")
            #expect(answer["links.0.url"]?.string == "http://localhost/share/\(TripFixture.id)")
            #expect(answer["links.0.state"]?.string == "OPEN")
            let other = try await trip.server.signIn("eve@example.com", TripFixture.container)
            let others = try await trip.server.send(.get, trip.links(as: other))
            #expect(others["links"]?.array?.isEmpty == true)
            #expect(try await trip.settle(#"{"takenDown": true}"#, as: other).status == 404)
        }
    }

    @Test("An expired or taken down page answers 410 on every path") func gone() async throws {
        try await TripFixture.run { trip in
            let page = try await trip.server.send(.get, trip.path)
            let preview = String(try #require(page.text.firstMatch(of: #/<img src="([^"]+)"/#)?.output.1))
            let download = String(try #require(page.text.firstMatch(of: #/data-download="([^"]+)"/#)?.output.1))
            for (body, text) in [
                (#"{"takenDown": true}"#, "taken down"), (#"{"takenDown": false, "expiresAt": 1000}"#, "expired"),
            ] {
                #expect(try await trip.settle(body).status == 200)
                for path in [trip.path, preview, download, "\(trip.path)/zip"] {
                    let answer = try await trip.server.send(.get, path)
                    #expect(answer.status == 410, "\(path)")
                    #expect(answer.text.contains(text), "\(path)")
                    #expect(!answer.text.contains("Lisbon"), "\(path)")
                }
            }
            #expect(try await trip.settle(#"{"expiresAt": null}"#)["state"]?.string == "OPEN")
            #expect(try await trip.server.send(.get, trip.path).status == 200)
        }
    }

    @Test("Ten wrong passwords by strangers do not lock out a visitor who knows the password")
    func strangers() async throws {
        let forwarded = try #require(HTTPField.Name("X-Forwarded-For"))
        try await TripFixture.run(configure: { $0.trustForwardedFor = true }) { trip in
            #expect(try await trip.settle(#"{"password": "fado"}"#)["hasPassword"]?.bool == true)
            let give = { (password: String, address: String) in
                let visitor = WebVisitor(trip.server)
                _ = try await visitor.open(trip.path)
                return try await visitor.submit(
                    "\(trip.path)/password", ["password": password],
                    headers: [.origin: "http://localhost", forwarded: address]
                ).status
            }
            let wrong = try await (0..<11).asyncMap { _ in try await give("wrong", "198.51.100.1") }
            #expect(wrong == Array(repeating: 403, count: 10) + [429])
            #expect(try await give("fado", "203.0.113.1") == 303)
            for number in 0..<50 { #expect(try await give("wrong", "198.51.101.\(number)") == 403) }
            #expect(try await give("fado", "203.0.113.2") == 303)
            #expect(try await give("fado", "198.51.100.1") == 429)
        }
    }

    @Test("A page's password opens that page and no other") func passwords() async throws {
        try await TripFixture.run { trip in
            #expect(try await trip.settle(#"{"password": "fado"}"#)["hasPassword"]?.bool == true)
            let visitor = WebVisitor(trip.server)
            let closed = try await visitor.open(trip.path)
            #expect(closed.status == 403)
            #expect(!closed.text.contains("Lisbon") && !closed.text.contains("og:"))
            #expect(try await trip.server.send(.get, "\(trip.path)/zip").status == 403)
            #expect(try await visitor.submit("\(trip.path)/password", ["password": "wrong"]).status == 403)
            #expect(try await visitor.open(trip.path).status == 403)
            #expect(try await visitor.submit("\(trip.path)/password", ["password": "fado"]).status == 303)
            let open = try await visitor.open(trip.path)
            #expect(open.status == 200)
            #expect(!open.text.contains("og:image"))
            _ = try await trip.settle(#"{"password": "another"}"#)
            #expect(try await visitor.open(trip.path).status == 403)
        }
    }

    @Test("Wrong page passwords are limited") func guesses() async throws {
        try await TripFixture.run { trip in
            _ = try await trip.settle(#"{"password": "fado"}"#)
            let visitor = WebVisitor(trip.server)
            var statuses: [Int] = []
            for guess in 0..<11 {
                statuses.append(try await visitor.submit("\(trip.path)/password", ["password": "\(guess)"]).status)
            }
            #expect(statuses.dropLast().allSatisfy { $0 == 403 })
            #expect(statuses.last == 429)
        }
    }

    /// Otherwise an account and the app's token would lead around the page.
    @Test("An expired or protected link lets no visitor join") func joining() async throws {
        try await TripFixture.run { trip in
            let owner = trip.sender
            let ben = try await trip.server.signIn("ben@example.com", TripFixture.container)
            let eve = try await trip.server.signIn("eve@example.com", TripFixture.container)
            for (zone, body) in [
                ("A", #"{"takenDown": true}"#), ("B", #"{"expiresAt": 1000}"#), ("C", #"{"password": "fado"}"#),
            ] {
                try await owner.makeZone(zone)
                try await owner.save(zone: zone, "root", fields: #""secret": {"value": "Secret"}"#)
                let guid = try await owner.share("root", in: zone, permission: "READ_ONLY")
                #expect(try await ben.accept(guid)["results.0.participantStatus"] == "ACCEPTED")
                #expect(try await trip.settle(body, id: guid).status == 200)
                for answer in [try await eve.resolve(guid), try await eve.accept(guid)] {
                    #expect(answer["results.0.serverErrorCode"] == "NOT_FOUND", "\(body)")
                    #expect(!answer.text.contains("Secret"), "\(body)")
                }
                #expect(try await ben.accept(guid)["results.0.participantStatus"] == "ACCEPTED", "\(body)")
                #expect(try await owner.resolve(guid)["results.0.participantType"] == "OWNER", "\(body)")
                _ = try await trip.settle(#"{"takenDown": false, "expiresAt": null, "password": null}"#, id: guid)
                #expect(try await eve.accept(guid)["results.0.participantStatus"] == "ACCEPTED", "\(body)")
            }
        }
    }

    @Test("Other people see only the chosen items") func chosenItems() async throws {
        try await TripFixture.run { trip in
            _ = try await trip.settle(#"{"items": ["\#(TripFixture.id)_1"]}"#)
            let page = try await trip.server.send(.get, trip.path)
            #expect(page.text.matches(of: #/class="photo[" ]/#).count == 1)
            let hidden = ItemKey(recordName: "\(TripFixture.id)_0", field: "photoAsset", index: 0).text
            #expect(try await trip.server.send(.get, "\(trip.path)/download/\(hidden)").status == 404)
            let owner = try await trip.browser(of: "mei@example.com").open(trip.path)
            #expect(owner.text.matches(of: #/class="photo[" ]/#).count == 3)
        }
    }

    @Test("A malformed page setting is refused by its name")
    func malformed() async throws {
        try await TripFixture.run { trip in
            for (body, reason) in [
                #"{"expire": 1}"#: "expire: unknown", #"{"expiresAt": "soon"}"#: "expiresAt",
                #"{"items": []}"#: "items", #"{"items": [1]}"#: "items", #"{"takenDown": null}"#: "takenDown",
                #"{"deleteAfterExpiry": true}"#: "deleteAfterExpiry", #"{"password": 1}"#: "password",
                #"{"password": ""}"#: "password",
            ] {
                let answer = try await trip.settle(body)
                #expect(answer.status == 400, "\(body)")
                #expect(answer.reason.contains(reason), "\(answer.reason)")
            }
        }
    }

    @Test("The owner changes a page's settings on the page, and other people cannot")
    func ownerSettings() async throws {
        try await TripFixture.run { trip in
            let owner = try await trip.browser(of: "mei@example.com")
            #expect(try await owner.open(trip.path).text.contains("You share this"))
            #expect(try await owner.submit("\(trip.path)/settings", ["takenDown": "yes"]).status == 303)
            #expect(try await trip.server.send(.get, trip.path).status == 410)
            #expect(try await owner.open(trip.path).text.contains("Nobody else sees it"))
            #expect(
                try await owner.submit(
                    "\(trip.path)/settings", ["takenDown": "no"], headers: [.origin: "https://evil.example"]
                ).status == 403)
            #expect(try await owner.submit("\(trip.path)/settings", ["takenDown": "no"]).status == 303)
            let stranger = WebVisitor(trip.server)
            #expect(try await stranger.open(trip.path).text.contains("You share this") == false)
            #expect(try await stranger.submit("\(trip.path)/settings", ["takenDown": "yes"]).status == 404)
        }
    }
}
