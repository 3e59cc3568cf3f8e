import TestCloud
import CloudModel
import Testing

/// Permissions on a share (reference B §9.5), row by row.
struct SharePermissionTests {
    /// Anna's zone has a shared tree, root → leaf, and a record beside it.
    private func withShare(
        _ permission: String = "READ_WRITE", zoneWide: Bool = false, type: String = "USER",
        _ body: @Sendable (_ anna: App, _ ben: App, _ view: SharedZone) async throws -> Void
    ) async throws {
        try await TestServer.run { server in
            let anna = try await server.signIn("anna@example.com")
            let ben = try await server.signIn("ben@example.com")
            try await anna.makeZone("Z")
            _ = try await anna.modify(
                zone: "Z",
                [
                    Operation.write("create", "root"), Operation.write("create", "leaf", extra: Self.under("root")),
                    Operation.write("create", "beside"),
                ])
            let guid = try await anna.share(
                zoneWide ? nil : "root", in: "Z", as: zoneWide ? nil : "share",
                participants: [Sharing.entry(email: "ben@example.com", permission: permission, type: type)])
            try await ben.accept(guid)
            try await body(anna, ben, ben.shared("Z", of: anna.user))
        }
    }

    private static func under(_ parent: String) -> String { #", "parent": {"recordName": "\#(parent)"}"# }

    private static let saved: String? = nil
    private static let hierarchy: [(operation: String, writer: String?, reader: String?)] = [
        (Operation.write("create", "new", extra: under("leaf")), saved, "ACCESS_DENIED"),
        (Operation.write("create", "new"), "ACCESS_DENIED", "ACCESS_DENIED"),
        (Operation.write("create", "new", extra: under("beside")), "VALIDATING_REFERENCE_ERROR", "ACCESS_DENIED"),
        (Operation.write("create", "new", extra: under("nowhere")), "VALIDATING_REFERENCE_ERROR", "ACCESS_DENIED"),
        (Operation.write("forceUpdate", "root"), saved, "ACCESS_DENIED"),
        (Operation.write("forceUpdate", "leaf"), saved, "ACCESS_DENIED"),
        (Operation.write("forceUpdate", "leaf", extra: #", "parent": null"#), "ACCESS_DENIED", "ACCESS_DENIED"),
        (Operation.write("forceReplace", "leaf"), "ACCESS_DENIED", "ACCESS_DENIED"),
        (Operation.write("forceUpdate", "root", extra: under("leaf")), "ACCESS_DENIED", "ACCESS_DENIED"),
        (Operation.write("update", "beside", tag: "1"), "NOT_FOUND", "NOT_FOUND"),
        (Operation.write("create", "beside", extra: under("leaf")), "CONFLICT", "ACCESS_DENIED"),
        (Operation.delete("leaf"), saved, "ACCESS_DENIED"),
        (Operation.delete("root"), "ACCESS_DENIED", "ACCESS_DENIED"),
        (Operation.delete("beside"), saved, saved),
        (Operation.write("forceUpdate", "share", type: "cloudkit.share"), "ACCESS_DENIED", "ACCESS_DENIED"),
        (Sharing.creation("other", of: "leaf", tag: "1"), "ACCESS_DENIED", "ACCESS_DENIED"),
    ]

    @Test(
        "A member of a hierarchy share has the documented permissions on each record",
        arguments: hierarchy.indices, [true, false])
    func hierarchyMember(index: Int, mayWrite: Bool) async throws {
        let (operation, writer, reader) = Self.hierarchy[index]
        try await withShare(mayWrite ? "READ_WRITE" : "READ_ONLY") { anna, _, view in
            let answer = try await view.modify(operation)
            #expect(answer["records.0.serverErrorCode"]?.string == (mayWrite ? writer : reader), "\(answer.text)")
            #expect(try await anna.lookup(zone: "Z", "beside")["records.0.recordType"] == "Note")
        }
    }

    @Test("A refusal does not show a member the records outside the share") func outsideRecord() async throws {
        try await withShare { anna, _, view in
            _ = try await anna.modify(
                zone: "Z",
                [
                    Operation.write(
                        "forceUpdate", "beside",
                        fields: #""r": {"value": {"recordName": "leaf", "action": "VALIDATE"}, "type": "REFERENCE"}"#)
                ])
            let answer = try await view.modify(Operation.delete("leaf"))
            #expect(answer["records.0.serverErrorCode"] == "VALIDATING_REFERENCE_ERROR")
            #expect(!answer.text.contains("beside"))
        }
    }

    @Test(
        "A member of a zone-wide share has the permissions of their role on every record",
        arguments: [("READ_WRITE", String?.none), ("READ_ONLY", "ACCESS_DENIED")])
    func zoneMember(permission: String, code: String?) async throws {
        try await withShare(permission, zoneWide: true) { _, _, view in
            for operation in [
                Operation.write("create", "new"), Operation.write("forceUpdate", "beside"), Operation.delete("leaf"),
            ] {
                let answer = try await view.modify(operation)
                #expect(answer["records.0.serverErrorCode"]?.string == code, "\(answer.text)")
            }
            #expect(try await view.lookup("root", "beside").column("records", "recordType") == ["Note", "Note"])
        }
    }

    @Test("A participant with permission NONE sees nothing") func noPermission() async throws {
        try await withShare("NONE") { _, ben, view in
            let found = try await view.lookup("root")
            #expect(found.code == "ZONE_NOT_FOUND")
            #expect(try await ben.get("shared/zones/list").zoneNames == [])
        }
    }

    @Test("A member who loses the permission to write is refused at once") func lostPermission() async throws {
        try await withShare { anna, ben, view in
            let entry = Sharing.entry(user: ben.user, permission: "READ_ONLY")
            try await anna.updateShare("share", in: "Z", #""participants": [\#(entry)]"#)
            let answer = try await view.modify(Operation.write("forceUpdate", "leaf"))
            #expect(answer["records.0.reason"] == "WRITE operation not permitted")
            try await anna.updateShare("share", in: "Z", #""participants": []"#)
            #expect(try await view.lookup("leaf").code == "ZONE_NOT_FOUND")
            #expect(try await view.changes()["zones.0.serverErrorCode"] == "ZONE_NOT_FOUND")
            #expect(try await view.query(#"{"recordType": "Note"}"#).code == "ZONE_NOT_FOUND")
        }
    }

    @Test("An administrator manages the people of a share") func administrators() async throws {
        try await withShare(type: "ADMINISTRATOR") { anna, ben, view in
            let share = try await view.lookup("share")
            let tag = try #require(share["records.0.recordChangeTag"]?.string)
            #expect(share["records.0.denyAccessRequests"] == true)
            let list = [Sharing.entry(user: ben.user, type: "ADMINISTRATOR"), Sharing.entry(email: "cleo@example.com")]
                .joined(separator: ",")
            let answer = try await view.modify(
                Operation.write(
                    "update", "share", type: "cloudkit.share", tag: tag, extra: #", "participants": [\#(list)]"#))
            #expect(answer["records.0.participants"]?.array?.count == 3, "\(answer.text)")
            #expect(answer["records.0.participants.2.type"] == "USER")
            #expect(try await anna.lookup(zone: "Z", "share")["records.0.participants"]?.array?.count == 3)
        }
    }

    @Test("A member may leave a shared zone and not create one") func othersZones() async throws {
        try await withShare { anna, ben, view in
            let delete = #"{"operations": [{"operationType": "delete", "zone": {"zoneID": \#(view.id)}}]}"#
            let create = #"{"operations": [{"operationType": "create", "zone": {"zoneID": \#(view.id)}}]}"#
            let made = try await ben.post("shared/zones/modify", create)
            #expect(made.code == "ACCESS_DENIED")
            #expect(try await ben.post("private/zones/modify", delete).code == "BAD_REQUEST")
            #expect(try await ben.post("shared/zones/modify", delete)["zones.0.deleted"] == true)
            #expect(try await ben.post("shared/zones/modify", delete)["zones.0.serverErrorCode"] == "ZONE_NOT_FOUND")
            #expect(try await anna.lookup(zone: "Z", "share")["records.0.participants"]?.array?.count == 1)
            #expect(try await anna.post("shared/zones/modify", delete).code == "ZONE_NOT_FOUND")
        }
    }

    @Test("The shared database lacks the caller's own zones and all default zones") func otherZones() async throws {
        try await withShare { anna, ben, _ in
            for owner in [#", "ownerRecordName": "\#(anna.user)""#, "", #", "ownerRecordName": "_defaultOwner""#] {
                let answer = try await anna.post(
                    "shared/records/lookup",
                    #"{"records": [{"recordName": "root"}], "zoneID": {"zoneName": "Z"\#(owner)}}"#)
                #expect(answer.code == "ZONE_NOT_FOUND")
            }
            let standard = try await ben.post(
                "shared/records/query",
                #"{"query": {"recordType": "Note"}, "zoneID": {"zoneName": "_defaultZone", "ownerRecordName": "\#(anna.user)"}}"#
            )
            #expect(standard.code == "ZONE_NOT_FOUND")
            let reversed = try await ben.post(
                "shared/records/changes",
                #"{"reverse": true, "zoneID": {"zoneName": "Z", "ownerRecordName": "\#(anna.user)"}}"#)
            #expect(reversed.code == "BAD_REQUEST")
        }
    }
}
