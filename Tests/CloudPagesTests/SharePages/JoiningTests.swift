import CloudHTTP
import TestCloud
import CloudModel
import Testing

/// Joining a share by its link. Nobody gets past the owner's settings, whichever way they try.
struct JoiningTests {
    private struct Cast {
        let trip: TripFixture
        let zone: String
        let guid: String
        /// A stranger, and somebody invited by name.
        let eve: App
        let ben: App
        var owner: App { trip.sender }

        func settle(_ body: String) async throws {
            let answer = try await trip.settle(body, id: guid)
            #expect(answer.status == 200, "\(answer.text)")
        }

        func ask(as app: App) async throws -> Answer {
            try await trip.server.send(
                .post, "/share/\(guid)/request-access?" + app.target("").split(separator: "?")[1])
        }

        /// The people of the share, as the owner's list shows them.
        var people: [String] {
            get async throws {
                try await owner.lookup(zone: zone, "Share-root")
                    .column("records.0.participants", "userIdentity.userRecordName").compactMap { $0?.string }
            }
        }

        func sees(_ app: App) async throws -> Bool {
            let found = try await app.shared(zone, of: owner.user).lookup("secret")
            return found["records.0.recordType"] != nil
        }
    }

    /// Makes a share for each of these cases, in a zone of its own.
    private func withShares(
        _ cases: [String] = [""], permission: String = "NONE", participants: [String] = [], more: String = "",
        _ body: @Sendable (Cast, _ case: String) async throws -> Void
    ) async throws {
        try await TripFixture.run { trip in
            let owner = trip.sender
            let eve = try await trip.server.signIn("eve@example.com", TripFixture.container)
            let ben = try await trip.server.signIn("ben@example.com", TripFixture.container)
            for (number, text) in cases.enumerated() {
                let zone = "Z\(number)"
                try await owner.makeZone(zone)
                try await owner.save(zone: zone, "root")
                _ = try await owner.modify(
                    zone: zone,
                    ["chosen", "secret"].map {
                        Operation.write("create", $0, extra: #", "parent": {"recordName": "root"}"#)
                    })
                let guid = try await owner.share(
                    "root", in: zone, permission: permission, participants: participants, more: more)
                try await body(Cast(trip: trip, zone: zone, guid: guid, eve: eve, ben: ben), text)
            }
        }
    }

    private static let closings = [#"{"takenDown": true}"#, #"{"expiresAt": 1000}"#, #"{"password": "fado"}"#]
    private static let choice = #"{"items": ["chosen"]}"#
    private static let oneTime = (
        participants: [#"{"participantId": "L", "type": "USER", "permission": "READ_ONLY"}"#],
        more: #", "oneTimeStableUrlInfo": {"oneTimeLinks": [{"participantId": ["L"]}]}"#
    )

    @Test("No visitor of a public link joins against its owner's settings")
    func publicLink() async throws {
        try await withShares(Self.closings + [Self.choice], permission: "READ_WRITE") { cast, body in
            try await cast.settle(body)
            for answer in [try await cast.eve.resolve(cast.guid), try await cast.eve.accept(cast.guid)] {
                #expect(answer["results.0.serverErrorCode"] != nil, "\(answer.text)")
            }
            let visitor = try await cast.trip.browser(of: "eve@example.com")
            #expect(try await visitor.submit("/share/\(cast.guid)/accept", [:]).status >= 400, "\(body)")
            #expect(try await cast.people == [cast.owner.user], "\(body)")
            #expect(try await !cast.sees(cast.eve), "\(body)")
            try await cast.settle(#"{"takenDown": false, "expiresAt": null, "password": null, "items": null}"#)
            try await cast.eve.accept(cast.guid)
            #expect(try await cast.sees(cast.eve), "\(body)")
        }
    }

    @Test("No visitor of a one-time link joins against its owner's settings")
    func oneTimeLink() async throws {
        try await withShares(
            Self.closings + [Self.choice], participants: Self.oneTime.participants, more: Self.oneTime.more
        ) { cast, body in
            let share = try await cast.owner.lookup(zone: cast.zone, "Share-root")
            let link = try #require(
                share["records.0.oneTimeStableUrlInfo.oneTimeLinks.0.sharingLink"]?.string)
            try await cast.settle(body)
            for answer in [try await cast.eve.resolve(link), try await cast.eve.accept(link)] {
                #expect(answer["results.0.serverErrorCode"] != nil, "\(answer.text)")
            }
            let visitor = try await cast.trip.browser(of: "eve@example.com")
            #expect(try await visitor.submit("/share/\(link)/accept", [:]).status >= 400, "\(body)")
            #expect(try await cast.people == [cast.owner.user], "\(body)")
            try await cast.settle(#"{"takenDown": false, "expiresAt": null, "password": null, "items": null}"#)
            #expect(try await cast.eve.accept(link)["results.0.participantStatus"] == "ACCEPTED", "\(body)")
        }
    }

    @Test("A closed, expired or locked link admits no invited person")
    func closedLink() async throws {
        try await withShares(Self.closings, participants: [Sharing.entry(email: "ben@example.com")]) { cast, body in
            try await cast.settle(body)
            for answer in [try await cast.ben.resolve(cast.guid), try await cast.ben.accept(cast.guid)] {
                #expect(answer["results.0.serverErrorCode"] == "NOT_FOUND", "\(body)")
            }
            #expect(try await !cast.sees(cast.ben), "\(body)")
            try await cast.settle(#"{"takenDown": false, "expiresAt": null, "password": null}"#)
            #expect(try await cast.ben.accept(cast.guid)["results.0.participantStatus"] == "ACCEPTED", "\(body)")
            try await cast.settle(body)
            // Whoever is in stays in.
            #expect(try await cast.ben.accept(cast.guid)["results.0.participantStatus"] == "ACCEPTED", "\(body)")
            #expect(try await cast.sees(cast.ben), "\(body)")
        }
    }

    @Test("An invited person can join a share whose page shows chosen records")
    func invited() async throws {
        try await withShares(participants: [Sharing.entry(email: "ben@example.com")]) { cast, _ in
            try await cast.settle(Self.choice)
            let visitor = try await cast.trip.browser(of: "ben@example.com")
            #expect(try await visitor.open("/share/\(cast.guid)").text.contains("/accept"))
            #expect(try await cast.ben.accept(cast.guid)["results.0.participantStatus"] == "ACCEPTED")
            #expect(try await cast.sees(cast.ben))
        }
    }

    @Test("An invited person joins a locked link with its password")
    func password() async throws {
        try await withShares(participants: [Sharing.entry(email: "ben@example.com")]) { cast, _ in
            try await cast.settle(#"{"password": "fado"}"#)
            let visitor = try await cast.trip.browser(of: "ben@example.com")
            let path = "/share/\(cast.guid)"
            #expect(try await visitor.submit("\(path)/accept", [:]).status == 403)
            #expect(try await visitor.submit("\(path)/password", ["password": "fado"]).status == 303)
            #expect(try await visitor.submit("\(path)/accept", [:]).status == 303)
            #expect(try await cast.sees(cast.ben))
        }
    }

    @Test("A closed, expired or locked link takes no access requests, by the API and on its page")
    func accessRequests() async throws {
        try await withShares(Self.closings, more: #", "denyAccessRequests": false"#) { cast, body in
            #expect(try await cast.eve.resolve(cast.guid)["results.0.serverErrorCode"] == "ACCESS_DENIED", "\(body)")
            try await cast.settle(body)
            #expect(try await cast.eve.resolve(cast.guid)["results.0.serverErrorCode"] == "NOT_FOUND", "\(body)")
            #expect(try await cast.ask(as: cast.eve).status == 404, "\(body)")
            let visitor = try await cast.trip.browser(of: "eve@example.com")
            #expect(try await visitor.open("/share/\(cast.guid)").text.contains("/ask") == false, "\(body)")
            #expect(try await visitor.submit("/share/\(cast.guid)/ask", [:]).status == 404, "\(body)")
            let share = try await cast.owner.lookup(zone: cast.zone, "Share-root")
            #expect(share["records.0.requesters"] == .array([]), "\(body)")
            try await cast.settle(#"{"takenDown": false, "expiresAt": null, "password": null}"#)
            #expect(try await cast.ask(as: cast.eve).status == 200, "\(body)")
        }
    }

    @Test("A page of chosen records shows neither other records nor the root's fields, and offers no joining")
    func chosenRecords() async throws {
        try await withShares(permission: "READ_ONLY") { cast, _ in
            let owner = cast.owner
            for (name, text) in [
                ("root", "text of the root"), ("chosen", "the chosen text"), ("secret", "not for you"),
            ] {
                _ = try await owner.modify(
                    zone: cast.zone, [Operation.write("forceUpdate", name, fields: #""text": {"value": "\#(text)"}"#)])
            }
            let visitor = try await cast.trip.browser(of: "eve@example.com")
            let path = "/share/\(cast.guid)"
            let whole = try await visitor.open(path).text
            #expect(whole.contains("text of the root") && whole.contains("not for you") && whole.contains("/accept"))
            try await cast.settle(Self.choice)
            let part = try await visitor.open(path).text
            #expect(part.contains("the chosen text"))
            #expect(!part.contains("text of the root") && !part.contains("not for you") && !part.contains("/accept"))
            try await cast.settle(#"{"items": ["chosen", "root"]}"#)
            #expect(try await visitor.open(path).text.contains("text of the root"))
        }
    }
}
