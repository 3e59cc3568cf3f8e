import TestCloud
import CloudModel
import CloudStore
import Testing

/// Names are told apart by their bytes, everywhere alike: no é of one scalar stands for one of two.
struct ExactNamesTests {
    private static let one = "caf\u{e9}"
    private static let two = "cafe\u{301}"

    @Test("Zone names that differ only in bytes name two zones") func zones() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone(Self.one)
            try await mei.save(zone: Self.one, "n1")
            #expect(try await mei.modify(zone: Self.two, [Operation.write("create", "n2")]).code == "ZONE_NOT_FOUND")
            try await mei.makeZone(Self.two)
            try await mei.save(zone: Self.two, "n2")
            #expect(try await mei.changes(Self.one).recordNames == ["n1"])
            #expect(try await mei.changes(Self.two).recordNames == ["n2"])
        }
    }

    @Test("Record names that differ only in bytes name two records") func records() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let answer = try await mei.modify([
                Operation.write("create", Self.one), Operation.write("create", Self.two),
            ])
            #expect(answer.recordNames.map { Array($0.utf8) } == [Array(Self.one.utf8), Array(Self.two.utf8)])
            let found = try await mei.lookup(Self.two)
            #expect(found.recordNames.map { Array($0.utf8) } == [Array(Self.two.utf8)])
        }
    }

    @Test("A record may be the child of a record with an equivalent name")
    func parents() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("Z")
            let answer = try await mei.modify(
                zone: "Z",
                [
                    Operation.write("create", Self.one),
                    Operation.write("create", Self.two, extra: #", "parent": {"recordName": "\#(Self.one)"}"#),
                ])
            #expect(answer["records.1.parent.recordName"] != nil, "\(answer.text)")
            let own = try await mei.modify(
                zone: "Z", [Operation.write("create", "own", extra: #", "parent": {"recordName": "own"}"#)])
            #expect(own["records.0.serverErrorCode"] == "BAD_REQUEST")
        }
    }

    @Test("A missing record is NOT_FOUND although its batch deletes one with an equivalent name")
    func deletedAlong() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("Z")
            try await mei.save(zone: "Z", Self.one)
            let answer = try await mei.modify(
                zone: "Z", [Operation.delete(Self.one), Operation.delete(Self.two, tag: "1")],
                options: #", "atomic": false"#)
            #expect(answer["records.0.deleted"] == true)
            #expect(answer["records.1.serverErrorCode"] == "NOT_FOUND")
        }
    }

    @Test("Sharing a record needs its own change tag beside a write to an equivalent name")
    func sharedRoots() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("Z")
            try await mei.save(zone: "Z", Self.one)
            let tag = try await mei.tag(of: Self.one, zone: "Z")
            let untold = try await mei.modify(
                zone: "Z", [Operation.write("create", Self.two), Sharing.creation("S", of: Self.one)])
            #expect(untold["records.1.serverErrorCode"] == "BAD_REQUEST", "\(untold.text)")
            let both = try await mei.modify(
                zone: "Z", [Operation.write("create", Self.two), Sharing.creation("S", of: Self.one, tag: tag)])
            #expect(both["records.0.shortGUID"] == nil && both["records.1.shortGUID"] != nil, "\(both.text)")
        }
    }

    @Test("A move to a parent with an equivalent name leaves the share, and a branch needs its exact parent")
    func movedRecords() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let ben = try await server.signIn("ben@example.com")
            try await mei.makeZone("Z")
            _ = try await mei.modify(
                zone: "Z",
                [
                    Operation.write("create", Self.one), Operation.write("create", Self.two),
                    Operation.write("create", "child", extra: #", "parent": {"recordName": "\#(Self.one)"}"#),
                ])
            let guid = try await mei.share(Self.one, in: "Z", as: "S", permission: "READ_WRITE")
            try await ben.accept(guid)
            let seen = ben.shared("Z", of: mei.user)
            #expect(try await seen.lookup("child")["records.0.recordType"] == "Note")
            let moved = try await mei.modify(
                zone: "Z",
                [Operation.write("forceUpdate", "child", extra: #", "parent": {"recordName": "\#(Self.two)"}"#)])
            #expect(moved["records.0.recordType"] == "Note")
            #expect(try await seen.lookup("child")["records.0.serverErrorCode"] == "NOT_FOUND")
            let branch = try await seen.modify(
                Operation.write("create", "leaf", extra: #", "parent": {"recordName": "x\#(Self.two)"}"#),
                Operation.write("create", "x\(Self.one)", extra: #", "parent": {"recordName": "\#(Self.one)"}"#))
            #expect(branch["records.0.serverErrorCode"] == "VALIDATING_REFERENCE_ERROR", "\(branch.text)")
        }
    }

    @Test("An owner's chosen items do not include records with equivalent names")
    func chosenItems() {
        var link = PageSettings(id: "id", owner: "_mei")
        link.items = [Self.one]
        #expect(link.items?.containsExactly(Self.one) == true)
        #expect(link.items?.containsExactly(Self.two) == false)
    }

    @Test("Invitations to equivalent addresses are for two people")
    func invitations() {
        let one = LookupInfo(email: "\(Self.one)@example.com")
        #expect(one.isSame(as: LookupInfo(email: "\(Self.one)@example.com".uppercased())))
        #expect(!one.isSame(as: LookupInfo(email: "\(Self.two)@example.com")))
    }

    @Test("Types, fields and desired keys are distinguished from equivalent ones")
    func fields() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save("n1", type: "K", fields: #""K": {"value": 1}"#)
            let kelvin = "\u{212A}"
            #expect(
                try await mei.post("private/records/query", #"{"query": {"recordType": "\#(kelvin)"}}"#).code
                    == "NOT_FOUND")
            let filter = #"{"fieldName": "\#(kelvin)", "comparator": "EQUALS", "fieldValue": {"value": 1}}"#
            let query = #"{"query": {"recordType": "K", "filterBy": [\#(filter)]}}"#
            #expect(try await mei.post("private/records/query", query).code == "BAD_REQUEST")
            let shown = try await mei.post(
                "private/records/lookup", #"{"records": [{"recordName": "n1"}], "desiredKeys": ["\#(kelvin)"]}"#)
            #expect(shown["records.0.fields"]?.keys == [])
        }
    }
}
