import CloudAccounts
import CloudHTTP
import TestCloud
import CloudModel
import Testing

/// Resolving and accepting a link, by the person who does it (reference B §9.6–§9.8).
struct ResolveSharesTests {
    private struct Cast {
        let anna: App
        let ben: App
        let eve: App
        let guid: String
    }

    private func withShare(
        permission: String = "NONE", more: String = "", _ body: @Sendable (TestServer, Cast) async throws -> Void
    ) async throws {
        try await TestServer.run { server in
            let anna = try await server.signIn("anna@example.com")
            try await anna.makeZone("Z")
            try await anna.save(zone: "Z", "root", fields: #""name": {"value": "N"}, "size": {"value": 1}"#)
            let invited = permission == "NONE" ? [Sharing.entry(email: "ben@example.com")] : []
            let guid = try await anna.share("root", in: "Z", permission: permission, participants: invited, more: more)
            let ben = try await server.signIn("ben@example.com")
            let eve = try await server.signIn("eve@example.com")
            try await body(server, Cast(anna: anna, ben: ben, eve: eve, guid: guid))
        }
    }

    @Test("Resolving one's own share answers the private database") func owner() async throws {
        try await withShare { _, cast in
            for answer in [try await cast.anna.resolve(cast.guid), try await cast.anna.accept(cast.guid)] {
                #expect(answer["results.0.databaseScope"] == "PRIVATE")
                #expect(answer["results.0.participantType"] == "OWNER")
                #expect(answer["results.0.share.participants"]?.array?.count == 2)
                #expect(answer["results.0.rootRecordName"] == "root")
                #expect(answer["results.0.ownerIdentity.userRecordName"]?.string == cast.anna.user)
                #expect(answer["results.0.share.shortGUID"]?.string == cast.guid)
            }
        }
    }

    @Test("An invited person sees the root record before accepting") func preview() async throws {
        try await withShare { _, cast in
            let body =
                #"{"shortGUIDs": [{"value": "\#(cast.guid)", "rootRecordDesiredKeys": ["name"]}, "#
                + #"{"value": "\#(cast.guid)", "shouldFetchRootRecord": false}]}"#
            let answer = try await cast.ben.post("public/records/resolve", body)
            #expect(answer["results.0.databaseScope"] == "SHARED")
            #expect(answer["results.0.participantStatus"] == "INVITED")
            #expect(answer["results.0.participantPermission"] == "READ_WRITE")
            #expect(answer["results.0.rootRecord.fields"]?.keys == ["name"])
            #expect(answer["results.1.rootRecord"] == nil)
            #expect(answer["results.1.rootRecordName"] == "root")
            let view = cast.ben.shared("Z", of: cast.anna.user)
            #expect(try await view.lookup("root").code == "ZONE_NOT_FOUND")
        }
    }

    /// Invited people can fetch the pictures of a share before they accept it.
    @Test("Assets of a share and its root have download URLs in the resolved answer", arguments: ["resolve", "accept"])
    func assets(endpoint: String) async throws {
        try await TestServer.run { server in
            let anna = try await server.signIn("anna@example.com")
            let ben = try await server.signIn("ben@example.com")
            try await anna.makeZone("Z")
            let value = try await anna.upload(Array("abc".utf8), zone: "Z")
            let file = #""file": {"value": \#(value)}"#
            _ = try await anna.modify(zone: "Z", [Operation.write("create", "root", fields: file)])
            let tag = try await anna.tag(of: "root", zone: "Z")
            let creation = Operation.write(
                "create", "share", type: "cloudkit.share", fields: file,
                extra:
                    #", "publicPermission": "READ_ONLY", "forRecord": {"recordName": "root", "recordChangeTag": "\#(tag)"}"#
            )
            let made = try await anna.modify(zone: "Z", [creation])
            let guid = try #require(made["records.0.shortGUID"]?.string, "\(made.text)")
            let answer = try await ben.post("public/records/\(endpoint)", #"{"shortGUIDs": ["\#(guid)"]}"#)
            for place in ["rootRecord", "share"] {
                let url = answer["results.0.\(place).fields.file.value.downloadURL"]?.string
                let path = server.path(of: try #require(url, "\(answer.text)"))
                #expect(try await server.download(path).bytes == Array("abc".utf8))
            }
        }
    }

    @Test("Accepting twice changes nothing") func acceptedTwice() async throws {
        try await withShare { _, cast in
            let first = try await cast.ben.accept(cast.guid)
            let second = try await cast.ben.accept(cast.guid)
            #expect(first["results"] == second["results"])
            #expect(first["results.0.participantStatus"] == "ACCEPTED")
            #expect(
                first["results.0.share.currentUserParticipant.userIdentity.userRecordName"]?.string == cast.ben.user)
        }
    }

    /// The same words for a share that is not for the caller and for one that never was.
    @Test("Resolving a share by invitation shows a stranger nothing") func stranger() async throws {
        try await withShare { _, cast in
            for endpoint in ["resolve", "accept"] {
                for guid in [cast.guid, "0NEa3AEPXwK71VM4gHFnvh2kw", "", "'; --", "é"] {
                    let answer = try await cast.eve.post("public/records/\(endpoint)", #"{"shortGUIDs": ["\#(guid)"]}"#)
                    #expect(answer.status == 200)
                    #expect(answer["results.0.serverErrorCode"] == "NOT_FOUND")
                    #expect(answer["results.0.reason"] == "share not found")
                    #expect(
                        answer["results.0"]?.keys == ["shortGUID", "serverErrorCode", "reason"])
                }
            }
        }
    }

    @Test("Any signed-in person joins a share with a public permission") func openLink() async throws {
        try await withShare(permission: "READ_ONLY") { _, cast in
            let resolved = try await cast.eve.resolve(cast.guid)
            #expect(resolved["results.0.participantType"] == "PUBLIC_USER")
            #expect(resolved["results.0.participantStatus"] == "INVITED")
            #expect(resolved["results.0.participantPermission"] == "READ_ONLY")
            #expect(!resolved.text.contains("anna@example.com"))
            try await cast.eve.accept(cast.guid)
            try await cast.ben.accept(cast.guid)
            let view = cast.eve.shared("Z", of: cast.anna.user)
            let share = try await view.lookup("Share-root")
            #expect(share["records.0.participants"]?.array?.count == 2)
            #expect(!share.text.contains("ben@example.com"))
            #expect(
                try await view.modify(Operation.write("forceUpdate", "root"))["records.0.serverErrorCode"]
                    == "ACCESS_DENIED")
            try await cast.anna.updateShare("Share-root", in: "Z", #""publicPermission": "NONE""#)
            #expect(try await view.lookup("root").code == "ZONE_NOT_FOUND")
            #expect(try await cast.eve.accept(cast.guid)["results.0.serverErrorCode"] == "NOT_FOUND")
            try await cast.anna.updateShare("Share-root", in: "Z", #""publicPermission": "READ_WRITE""#)
            #expect(try await cast.eve.accept(cast.guid)["results.0.participantPermission"] == "READ_WRITE")
        }
    }

    @Test("A removed participant can rejoin only while the link is open")
    func removedParticipant() async throws {
        try await withShare { _, cast in
            try await cast.ben.accept(cast.guid)
            try await cast.anna.updateShare("Share-root", in: "Z", #""participants": []"#)
            #expect(try await cast.ben.accept(cast.guid)["results.0.serverErrorCode"] == "NOT_FOUND")
            try await cast.anna.updateShare("Share-root", in: "Z", #""publicPermission": "READ_ONLY""#)
            #expect(try await cast.ben.accept(cast.guid)["results.0.participantType"] == "PUBLIC_USER")
        }
    }

    @Test("An invited person with an unverified address is told to confirm it") func unverified() async throws {
        try await withShare { server, cast in
            _ = try await cast.anna.updateShare(
                "Share-root", in: "Z", #""participants": [\#(Sharing.entry(email: "uma@example.com"))]"#)
            _ = try await server.accounts.users.create(email: "uma@example.com", emailVerified: false)
            let uma = try await server.signIn("uma@example.com")
            for answer in [try await uma.resolve(cast.guid)] {
                #expect(answer["results.0.serverErrorCode"] == "ACCESS_DENIED")
                #expect(
                    answer["results.0.potentialMatchList.0.contactInformation.emailAddress"] == "uma@example.com")
            }
            #expect(try await uma.accept(cast.guid)["results.0.serverErrorCode"] == "ACCESS_DENIED")
        }
    }

    @Test("A deleted share is not found") func deleted() async throws {
        try await withShare { _, cast in
            try await cast.ben.accept(cast.guid)
            _ = try await cast.anna.modify(zone: "Z", [Operation.delete("root")])
            #expect(try await cast.anna.lookup(zone: "Z", "Share-root")["records.0.serverErrorCode"] == "NOT_FOUND")
            #expect(try await cast.ben.resolve(cast.guid)["results.0.serverErrorCode"] == "NOT_FOUND")
            #expect(try await cast.ben.get("shared/zones/list").zoneNames == [])
        }
    }

    @Test(
        "A malformed resolve or accept is refused",
        arguments: [
            "{}", #"{"shortGUIDs": []}"#, #"{"shortGUIDs": 5}"#, #"{"shortGUIDs": [5]}"#, #"{"shortGUIDs": [{}]}"#,
            #"{"shortGUIDs": [{"value": "x", "shouldFetchRootRecord": 1}]}"#,
            #"{"shortGUIDs": [{"value": "x", "rootRecordDesiredKeys": 1}]}"#,
        ])
    func malformed(body: String) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            for endpoint in ["resolve", "accept"] {
                let answer = try await mei.post("public/records/\(endpoint)", body)
                #expect(answer.status == 400)
                #expect(try await mei.post("private/records/\(endpoint)", body).status == 400)
                #expect(try await server.app().post("public/records/\(endpoint)", body).status == 421)
            }
        }
    }

    @Test("Strangers ask for access where the owner allows it") func accessRequests() async throws {
        try await withShare { server, cast in
            let request = { (app: App) in
                try await server.send(
                    .post, "/share/\(cast.guid)/request-access?" + app.target("").split(separator: "?")[1])
            }
            #expect(try await request(cast.eve).status == 404)
            try await cast.anna.updateShare("Share-root", in: "Z", #""denyAccessRequests": false"#)
            #expect(try await cast.eve.resolve(cast.guid)["results.0.serverErrorCode"] == "ACCESS_DENIED")
            #expect(try await request(cast.eve)["requested"] == true)
            #expect(try await request(cast.eve).status == 200)
            #expect(try await request(server.app()).status == 421)
            #expect(try await server.send(.post, "/share/unknown/request-access").status == 404)
            let asked = try await cast.anna.lookup(zone: "Z", "Share-root")
            #expect(asked["records.0.requesters"]?.array?.count == 1)
            #expect(asked["records.0.requesters.0.requesterInformation.userRecordName"]?.string == cast.eve.user)
            let entry = Sharing.entry(user: cast.eve.user, more: #", "isApprovedRequester": true"#)
            let approved = try await cast.anna.updateShare("Share-root", in: "Z", #""participants": [\#(entry)]"#)
            #expect(approved["records.0.requesters"]?.array == [])
            #expect(try await cast.eve.accept(cast.guid)["results.0.participantStatus"] == "ACCEPTED")
            try await cast.anna.updateShare(
                "Share-root", in: "Z",
                #""blocked": [{"requesterInformation": {"userRecordName": "\#(cast.eve.user)"}}]"#)
            #expect(try await request(cast.eve).status == 404)
            #expect(try await cast.eve.get("shared/zones/list").zoneNames == [])
        }
    }

    @Test("A one-time link is for the first person who accepts it") func oneTimeLink() async throws {
        try await withShare { _, cast in
            let entry = #"{"participantId": "L", "type": "USER", "permission": "READ_ONLY"}"#
            let links = #""oneTimeStableUrlInfo": {"oneTimeLinks": [{"participantId": ["L"]}]}"#
            let answer = try await cast.anna.updateShare(
                "Share-root", in: "Z", #""participants": [\#(entry)], \#(links)"#)
            let link = try #require(answer["records.0.oneTimeStableUrlInfo.oneTimeLinks.0.sharingLink"]?.string)
            #expect(link.count == 25)
            #expect(try await cast.eve.resolve(cast.guid)["results.0.serverErrorCode"] == "NOT_FOUND")
            #expect(try await cast.eve.resolve(link)["results.0.participantStatus"] == "INVITED")
            #expect(try await cast.eve.accept(link)["results.0.participantStatus"] == "ACCEPTED")
            #expect(try await cast.eve.accept(link)["results.0.participantStatus"] == "ACCEPTED")
            #expect(try await cast.ben.accept(link)["results.0.serverErrorCode"] == "NOT_FOUND")
            let view = cast.eve.shared("Z", of: cast.anna.user)
            let share = try await view.lookup("Share-root")
            #expect(!share.text.contains(link))
            try await cast.anna.updateShare("Share-root", in: "Z", #""participants": []"#)
            #expect(try await cast.eve.accept(link)["results.0.serverErrorCode"] == "NOT_FOUND")
        }
    }
}
