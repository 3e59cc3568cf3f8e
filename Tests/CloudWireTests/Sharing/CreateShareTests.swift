import TestCloud
import CloudModel
import Testing

/// Creations and changes of shares (reference B §9.1–§9.4).
struct CreateShareTests {
    private func withZone(_ body: @Sendable (App) async throws -> Void) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("Z")
            _ = try await mei.modify(
                zone: "Z",
                [
                    Operation.write("create", "root"),
                    Operation.write("create", "leaf", extra: #", "parent": {"recordName": "root"}"#),
                    Operation.write("create", "beside"),
                ])
            try await body(mei)
        }
    }

    @Test("A root record names its share and short GUID") func rootRecord() async throws {
        try await withZone { mei in
            let before = try await mei.tag(of: "root", zone: "Z")
            let guid = try await mei.share("root", in: "Z", participants: [Sharing.entry(email: "a@example.com")])
            #expect(guid.wholeMatch(of: /[A-Za-z0-9_-]{25}/) != nil)
            let found = try await mei.lookup(zone: "Z", "root", "Share-root")
            #expect(found["records.0.share.recordName"] == "Share-root")
            #expect(found["records.0.share.zoneID.zoneName"] == "Z")
            #expect(found["records.0.shortGUID"]?.string == guid)
            #expect(found["records.0.recordChangeTag"]?.string != before)
            #expect(found["records.1.fields"]?.keys == ["cloudkit.title"])
            #expect(found["records.1.publicPermission"] == "NONE")
            #expect(found["records.1.owner.type"] == "OWNER")
            #expect(found["records.1.owner.userIdentity.lookupInfo.emailAddress"] == "mei@example.com")
            #expect(found["records.1.participants.1.acceptanceStatus"] == "INVITED")
            let changes = try await mei.changes("Z")
            #expect(Set(changes.recordNames.suffix(2)) == ["root", "Share-root"])
            // An ordinary write of the root leaves its share alone.
            try await mei.save(zone: "Z", "root")
            #expect(try await mei.lookup(zone: "Z", "root")["records.0.share.recordName"] == "Share-root")
            let byShare = try await mei.post(
                "private/records/query",
                #"{"query": {"recordType": "Note", "filterBy": {"systemFieldName": "share", "comparator": "EQUALS", "fieldValue": {"value": {"recordName": "Share-root"}}}}, "zoneID": {"zoneName": "Z"}}"#
            )
            #expect(byShare.recordNames == ["root"])
            let shares = try await mei.post(
                "private/records/query", #"{"query": {"recordType": "cloudkit.share"}, "zoneID": {"zoneName": "Z"}}"#)
            #expect(shares["records.0.participants"]?.array?.count == 2)
        }
    }

    @Test(
        "A share type in another letter case is refused, with and without a share's fields",
        arguments: ["cloudKit.share", "CloudKit.Share", "CLOUDKIT.SHARE"], ["", #""cloudkit.title": {"value": "T"}"#])
    func otherSpelling(type: String, fields: String) async throws {
        try await withZone { mei in
            let tag = try await mei.tag(of: "root", zone: "Z")
            let root = #", "forRecord": {"recordName": "root", "recordChangeTag": "\#(tag)"}"#
            let answer = try await mei.modify(
                zone: "Z", [Operation.write("create", "S", type: type, fields: fields, extra: root)])
            #expect(answer["records.0.serverErrorCode"] == "BAD_REQUEST")
            let reason = answer["records.0.reason"]?.string ?? ""
            #expect(reason.hasPrefix("Cannot share - no such record exists to share"))
            #expect(reason.contains("'cloudkit.share'"))
            #expect(try await mei.lookup(zone: "Z", "S")["records.0.serverErrorCode"] == "NOT_FOUND")
            // The type alone makes a share.
            let share = try await mei.modify(
                zone: "Z", [Operation.write("create", "S", type: "cloudkit.share", extra: root)])
            #expect(share["records.0.shortGUID"] != nil, "\(share.text)")
        }
    }

    @Test("The root record may be written in the same batch as its share") func sameBatch() async throws {
        try await withZone { mei in
            let tag = try await mei.tag(of: "root", zone: "Z")
            let answer = try await mei.modify(
                zone: "Z",
                [
                    Sharing.creation("S1", of: "root", tag: tag), Operation.write("update", "root", tag: tag),
                    Operation.write("create", "fresh", extra: #", "createShortGUID": true"#),
                    Sharing.creation("S2", of: "fresh"),
                ])
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer["records.1.share.recordName"] == "S1")
            #expect(answer["records.2.share.recordName"] == "S2")
            #expect(answer["records.2.shortGUID"] == answer["records.3.shortGUID"])
            let latest = try await mei.lookup(zone: "Z", "root", "fresh").column("records", "recordChangeTag")
            #expect([answer["records.1.recordChangeTag"], answer["records.2.recordChangeTag"]] == latest)
        }
    }

    @Test("A share and its root can be deleted in one batch") func oneBatch() async throws {
        try await withZone { mei in
            try await mei.share("beside", in: "Z")
            let tag = try await mei.tag(of: "beside", zone: "Z")
            let share = try await mei.tag(of: "Share-beside", zone: "Z")
            let answer = try await mei.modify(
                zone: "Z", [Operation.delete("Share-beside", tag: share), Operation.delete("beside", tag: tag)])
            #expect(answer.column("records", "deleted") == [true, true], "\(answer.text)")
            try await mei.save(zone: "Z", "beside")
            try await mei.share("beside", in: "Z")
            let other = try await mei.modify(
                zone: "Z",
                [
                    Operation.delete("beside", tag: try await mei.tag(of: "beside", zone: "Z")),
                    Operation.delete("Share-beside", tag: try await mei.tag(of: "Share-beside", zone: "Z")),
                ])
            #expect(other.column("records", "deleted") == [true, true], "\(other.text)")
        }
    }

    private static let refusals: [(operation: String, options: String, code: String, reason: String)] = [
        (Sharing.creation(of: "root", tag: "1"), "", "CONFLICT", "client oplock error updating record"),
        (Sharing.creation(of: "root"), "", "BAD_REQUEST", "forRecord.recordChangeTag is missing"),
        (Sharing.creation(of: nil), "", "BAD_REQUEST", "forRecord is missing"),
        (Sharing.creation(of: "none", tag: "1"), "", "NOT_FOUND", "Cannot share - no such record exists to share"),
        (
            Sharing.creation(of: "root", tag: "1"), #", "atomic": false"#, "BAD_REQUEST",
            "You can only create a share with atomic=true"
        ),
        (Operation.write("create", "cloudkit.zoneshare"), "", "BAD_REQUEST", "recordName 'cloudkit.zoneshare' is for"),
        (
            Operation.write("create", "n", fields: #""cloudkit.title": {"value": "x"}"#), "", "BAD_REQUEST",
            "field 'cloudkit.title' is for records of type 'cloudkit.share' only"
        ),
        (
            Sharing.creation(of: "root", tag: "1", more: #", "parent": {"recordName": "root"}"#), "", "BAD_REQUEST",
            "a share record has no parent"
        ),
        (
            Sharing.creation(of: "root", tag: "1", participants: [#"{"type": "USER"}"#]), "", "CONFLICT",
            "client oplock error"
        ),
        (
            Sharing.creation(of: "root", tag: "1", participants: Array(repeating: "{}", count: 101)), "", "BAD_REQUEST",
            "participants has 101 elements, at most 100 are allowed"
        ),
    ]

    @Test("A share that breaks a rule is refused with its reason", arguments: refusals.indices)
    func refused(index: Int) async throws {
        let (operation, options, code, reason) = Self.refusals[index]
        try await withZone { mei in
            let answer = try await mei.modify(zone: "Z", [operation], options: options)
            #expect(answer["records.0.serverErrorCode"]?.string == code)
            #expect(answer["records.0.reason"]?.string?.hasPrefix(reason) == true, "\(answer.text)")
            #expect(try await mei.lookup(zone: "Z", "root")["records.0.share"] == nil)
        }
    }

    @Test("A shared record cannot be shared again") func sharedAgain() async throws {
        try await withZone { mei in
            try await mei.share("leaf", in: "Z")
            for (root, text) in [("leaf", "it, or a record above it"), ("root", "a record below it")] {
                let answer = try await mei.modify(
                    zone: "Z", [Sharing.creation(of: root, tag: try await mei.tag(of: root, zone: "Z"))])
                #expect(answer["records.0.reason"]?.string?.contains(text) == true, "\(answer.text)")
            }
            _ = try await mei.modify(zone: "Z", [Operation.delete("Share-leaf")])
            try await mei.share(nil, in: "Z")
            let twice = try await mei.modify(zone: "Z", [Sharing.creation("cloudkit.zoneshare", of: nil)])
            #expect(twice["records.0.reason"] == "record to insert already exists")
            let hierarchy = try await mei.modify(
                zone: "Z", [Sharing.creation(of: "root", tag: try await mei.tag(of: "root", zone: "Z"))])
            #expect(hierarchy["records.0.reason"]?.string?.contains("its whole zone is shared") == true)
        }
    }

    @Test("Records of the default zone cannot be shared") func defaultZone() async throws {
        try await withZone { mei in
            try await mei.save("home")
            let answer = try await mei.modify([Sharing.creation(of: "home", tag: "1")])
            #expect(answer["records.0.serverErrorCode"] == "BAD_REQUEST")
            let open = try await mei.modify(in: "public", [Sharing.creation(of: "home", tag: "1")])
            #expect(open["records.0.serverErrorCode"] == "BAD_REQUEST")
        }
    }

    @Test("A share record accepts fields of the app") func appFields() async throws {
        try await withZone { mei in
            try await mei.share("root", in: "Z")
            let tag = try await mei.tag(of: "Share-root", zone: "Z")
            let fields = #""preview": {"value": "A picture"}, "cloudkit.thumbnailImageData": {"value": "AAEC"}"#
            let answer = try await mei.modify(
                zone: "Z", [Operation.write("update", "Share-root", type: "cloudkit.share", tag: tag, fields: fields)])
            #expect(answer["records.0.fields.preview.value"] == "A picture")
            let names = answer["records.0.fields"]?.keys
            #expect(names == ["cloudkit.title", "cloudkit.thumbnailImageData", "preview"])
            #expect(answer["records.0.participants"]?.array?.count == 1)
            let stale = try await mei.modify(
                zone: "Z", [Operation.write("update", "Share-root", type: "cloudkit.share", tag: tag)])
            #expect(stale["records.0.serverErrorCode"] == "CONFLICT")
        }
    }
}
