import TestCloud
import CloudModel
import Testing

/// Two grandparents keep one family record together: a private database, and the other's shared one.
struct GrandparentsTests {
    private static let container = "iCloud.Sofanauts.GrandparentMemories"

    private struct Family {
        let anna: App
        let ben: App
        let guid: String
        var view: SharedZone { ben.shared("Family", of: anna.user) }
    }

    /// Anna has two grandchildren with memories, and shares one with Ben.
    private func family(_ server: TestServer, permission: String = "READ_WRITE") async throws -> Family {
        let anna = try await server.signIn("anna@example.com", Self.container)
        let ben = try await server.signIn("ben@example.com", Self.container)
        try await anna.makeZone("Family")
        let created = try await anna.modify(
            zone: "Family",
            [
                Operation.write("create", "mia", type: "Grandchild", fields: #""name": {"value": "Mia"}"#),
                Operation.write("create", "leo", type: "Grandchild", fields: #""name": {"value": "Leo"}"#),
                memory("mia-1", of: "mia"), memory("mia-2", of: "mia"), memory("leo-1", of: "leo"),
            ])
        #expect(created.recordNames.count == 5)
        let guid = try await anna.share(
            "mia", in: "Family", participants: [Sharing.entry(email: "ben@example.com", permission: permission)])
        return Family(anna: anna, ben: ben, guid: guid)
    }

    private func memory(_ name: String, of child: String, text: String = "A day") -> String {
        Operation.write(
            "create", name, type: "Memory", fields: #""text": {"value": "\#(text)"}"#,
            extra: #", "parent": {"recordName": "\#(child)"}"#)
    }

    private func text(_ text: String) -> String { #""text": {"value": "\#(text)"}"# }

    @Test("A member sees exactly the shared tree") func sharedTree() async throws {
        try await TestServer.run { server in
            let family = try await family(server)
            #expect(try await family.ben.get("shared/zones/list").zoneNames == [])
            let resolved = try await family.ben.resolve(family.guid)
            #expect(resolved["results.0.participantStatus"] == "INVITED")
            #expect(resolved["results.0.rootRecord.fields.name.value"] == "Mia")
            #expect(try await family.ben.get("shared/zones/list").zoneNames == [])
            let accepted = try await family.ben.accept(family.guid)
            #expect(accepted["results.0.participantStatus"] == "ACCEPTED")
            #expect(accepted["results.0.databaseScope"] == "SHARED")
            let zones = try await family.ben.get("shared/zones/list")
            #expect(zones.zoneNames == ["Family"])
            #expect(zones["zones.0.zoneID.ownerRecordName"]?.string == family.anna.user)
            #expect(try await family.view.news().names == ["mia", "mia-1", "mia-2", "Share-mia"])
            let found = try await family.view.lookup("mia", "mia-1", "leo", "leo-1", "none")
            #expect(found.column("records", "serverErrorCode") == [nil, nil, "NOT_FOUND", "NOT_FOUND", "NOT_FOUND"])
            let memories = try await family.view.query(#"{"recordType": "Memory"}"#)
            #expect(Set(memories.recordNames) == ["mia-1", "mia-2"])
            let everywhere = try await family.ben.post(
                "shared/records/query", #"{"query": {"recordType": "Grandchild"}, "zoneWide": true}"#)
            #expect(everywhere.recordNames == ["mia"])
            #expect(everywhere["records.0.zoneID.ownerRecordName"]?.string == family.anna.user)
        }
    }

    @Test("Owner and member see each other's changes") func bothWrite() async throws {
        try await TestServer.run { server in
            let family = try await family(server)
            try await family.ben.accept(family.guid)
            let annas = try #require(try await family.anna.changes("Family")["syncToken"]?.string)
            let bens = try await family.view.news().token
            let added = try await family.view.modify(memory("mia-3", of: "mia"))
            #expect(added["records.0.created.userRecordName"]?.string == family.ben.user)
            #expect(try await family.anna.changes("Family", since: annas).recordNames == ["mia-3"])
            let edit = try await family.anna.modify(
                zone: "Family",
                [Operation.write("forceUpdate", "mia-3", type: "Memory", fields: text("A better day"))])
            let tag = try #require(edit["records.0.recordChangeTag"]?.string)
            let news = try await family.view.news(since: bens)
            #expect(news.names == ["mia-3"])
            #expect(try await family.view.lookup("mia-3")["records.0.fields.text.value"] == "A better day")
            let answer = try await family.view.modify(
                Operation.write("update", "mia-3", type: nil, tag: tag, fields: text("The best")))
            #expect(answer["records.0.fields.text.value"] == "The best")
        }
    }

    @Test("Owner and member are each notified of the other's changes") func notifications() async throws {
        try await TestServer.run { server in
            let family = try await family(server)
            try await family.ben.accept(family.guid)
            try await family.anna.subscribe(Silent.zone("Family", as: "family"))
            try await family.ben.subscribe(in: "shared", Silent.database(as: "shared-with-me"))
            let anna = try await family.anna.listening("phone")
            let ben = try await family.ben.listening("tablet")
            let view = ben.app.shared("Family", of: family.anna.user)
            let token = try await view.news().token
            try await anna.hears("family zone Family") { _ = try await view.modify(memory("mia-3", of: "mia")) }
            try await ben.hears("shared-with-me database 3") {
                _ = try await anna.app.modify(
                    zone: "Family",
                    [Operation.write("forceUpdate", "mia-3", type: "Memory", fields: text("A better day"))])
            }
            #expect(try await view.news(since: token).names == ["mia-3"])
        }
    }

    @Test("Stopping a share notifies the member") func stopNotification() async throws {
        try await TestServer.run { server in
            let family = try await family(server)
            try await family.ben.subscribe(in: "shared", Silent.database(as: "shared-with-me"))
            let ben = try await family.ben.listening("tablet")
            let phone = family.ben.on("phone")
            // The tablet hears what was accepted on the phone.
            try await ben.hears("shared-with-me database 3") { try await phone.accept(family.guid) }
            try await ben.hears("shared-with-me database 3") {
                _ = try await family.anna.modify(zone: "Family", [Operation.delete("Share-mia")])
            }
        }
    }

    @Test("Records moved under or out of the root enter or leave the share") func movedRecords() async throws {
        try await TestServer.run { server in
            let family = try await family(server)
            try await family.ben.accept(family.guid)
            var token = try await family.view.news().token
            for (record, parent, expected) in [
                ("mia-2", #"{"recordName": "leo"}"#, "-mia-2"), ("leo-1", #"{"recordName": "mia"}"#, "leo-1"),
                ("mia-1", "null", "-mia-1"), ("mia-2", #"{"recordName": "leo-1"}"#, "mia-2"),
            ] {
                let moved = try await family.anna.modify(
                    zone: "Family",
                    [Operation.write("forceUpdate", record, type: "Memory", extra: #", "parent": \#(parent)"#)])
                #expect(moved["records.0.recordName"]?.string == record)
                let news = try await family.view.news(since: token)
                #expect(news.names == [expected])
                token = news.token
            }
            #expect(try await family.view.lookup("mia-1")["records.0.serverErrorCode"] == "NOT_FOUND")
            #expect(try await family.view.news(since: token).names == [])
        }
    }

    @Test("A READ_ONLY member cannot write") func readOnly() async throws {
        try await TestServer.run { server in
            let family = try await family(server, permission: "READ_ONLY")
            try await family.ben.accept(family.guid)
            for operation in [
                memory("mine", of: "mia"), Operation.write("forceUpdate", "mia-1", type: "Memory"),
                Operation.delete("mia-1"),
            ] {
                let answer = try await family.view.modify(operation)
                #expect(answer["records.0.serverErrorCode"] == "ACCESS_DENIED")
            }
            #expect(try await family.view.lookup("mia-1")["records.0.recordType"] == "Memory")
        }
    }

    @Test("Stopping a share removes the zone from the member's database") func stoppedShare() async throws {
        try await TestServer.run { server in
            let family = try await family(server)
            try await family.ben.accept(family.guid)
            let before = try await family.ben.post("shared/changes/database", "{}")
            #expect(before.zoneNames == ["Family"])
            let token = try #require(before["syncToken"]?.string)
            let root = try await family.anna.tag(of: "mia", zone: "Family")
            let stopped = try await family.anna.modify(zone: "Family", [Operation.delete("Share-mia")])
            #expect(stopped["records.0.deleted"] == true)
            let after = try await family.ben.post("shared/changes/database", #"{"syncToken": "\#(token)"}"#)
            #expect(after.zoneNames == ["Family"])
            #expect(after["zones.0.deleted"] == true)
            #expect(try await family.ben.get("shared/zones/list").zoneNames == [])
            #expect(try await family.view.changes()["zones.0.serverErrorCode"] == "ZONE_NOT_FOUND")
            #expect(try await family.view.lookup("mia").code == "ZONE_NOT_FOUND")
            #expect(try await family.ben.resolve(family.guid)["results.0.serverErrorCode"] == "NOT_FOUND")
            let mia = try await family.anna.lookup(zone: "Family", "mia")
            #expect(mia["records.0.share"] == nil)
            #expect(mia["records.0.shortGUID"]?.string == family.guid)
            #expect(mia["records.0.recordChangeTag"]?.string != root)
            #expect(try await family.anna.share("mia", in: "Family", as: "Again") == family.guid)
        }
    }

    @Test("A member who leaves disappears from the owner's list") func leaving() async throws {
        try await TestServer.run { server in
            let family = try await family(server)
            try await family.ben.accept(family.guid)
            let token = try #require(try await family.ben.post("shared/changes/database", "{}")["syncToken"]?.string)
            let left = try await family.view.modify(Operation.delete("Share-mia"))
            #expect(left["records.0.deleted"] == true)
            let after = try await family.ben.post("shared/changes/database", #"{"syncToken": "\#(token)"}"#)
            #expect(after["zones.0.deleted"] == true)
            let share = try await family.anna.lookup(zone: "Family", "Share-mia")
            #expect(share["records.0.participants"]?.array?.count == 1)
            #expect(try await family.anna.lookup(zone: "Family", "mia")["records.0.share.recordName"] == "Share-mia")
            #expect(try await family.ben.accept(family.guid)["results.0.serverErrorCode"] == "NOT_FOUND")
        }
    }

    @Test("A zone-wide share replaces a hierarchy share") func zoneWide() async throws {
        try await TestServer.run { server in
            let family = try await family(server)
            try await family.ben.accept(family.guid)
            let refused = try await family.anna.modify(
                zone: "Family", [Sharing.creation("cloudkit.zoneshare", of: nil)])
            #expect(refused["records.0.reason"]?.string?.contains("shared already") == true)
            _ = try await family.anna.modify(zone: "Family", [Operation.delete("Share-mia")])
            let guid = try await family.anna.share(
                nil, in: "Family", participants: [Sharing.entry(email: "BEN@example.com")])
            let accepted = try await family.ben.accept(guid)
            #expect(accepted["results.0.rootRecordName"] == nil)
            let all: Set = ["mia", "leo", "mia-1", "mia-2", "leo-1", "cloudkit.zoneshare"]
            let news = try await family.view.news()
            #expect(news.names == all)
            _ = try await family.view.modify(Operation.write("create", "nana", type: "Grandchild"))
            #expect(try await family.view.news(since: news.token).names == ["nana"])
            #expect(try await family.anna.lookup(zone: "Family", "nana")["records.0.recordName"] == "nana")
        }
    }
}
