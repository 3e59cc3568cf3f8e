import CloudHTTP
import TestCloud
import CloudModel
import NIOCore
import Testing

/// The same for assets and shares: `$name` stands for what a request can only know from an answer.
struct SharingFuzzTests {
    private static let zone = #"{"zoneName": "Z", "ownerRecordName": "$owner"}"#
    private static let seeds: [(endpoint: String, body: String)] = [
        (
            "records/modify",
            #"{"operations": [{"operationType": "create", "record": {"recordName": "s", "recordType": "cloudkit.share", "forRecord": {"recordName": "lone", "recordChangeTag": "$tag"}, "publicPermission": "NONE", "participants": [{"participantId": "P", "type": "USER", "permission": "READ_WRITE", "acceptanceStatus": "INVITED", "userIdentity": {"nameComponents": {"givenName": "B"}, "lookupInfo": {"emailAddress": "b@example.com"}}}], "oneTimeStableUrlInfo": {"oneTimeLinks": [{"participantId": ["P"]}]}, "denyAccessRequests": false, "requesters": [], "blocked": [{"requesterInformation": {"userRecordName": "_x"}}], "fields": {"cloudkit.title": {"value": "T"}, "cloudkit.thumbnailImageData": {"value": "AAAA", "type": "BYTES"}}}}], "zoneID": {"zoneName": "Z"}, "atomic": true}"#
        ),
        (
            "records/modify",
            #"{"operations": [{"operationType": "forceUpdate", "record": {"recordName": "Share-root", "recordType": "cloudkit.share", "publicPermission": "READ_ONLY", "participants": [{"participantId": "P", "permission": "READ_ONLY", "userIdentity": {"userRecordName": "$member"}}]}}, {"operationType": "forceUpdate", "record": {"recordName": "leaf", "recordType": "Note", "parent": {"recordName": "root"}}}, {"operationType": "forceDelete", "record": {"recordName": "Share-root"}}], "zoneID": {"zoneName": "Z", "ownerRecordName": "$owner"}}"#
        ),
        (
            "records/modify",
            #"{"operations": [{"operationType": "create", "record": {"recordType": "Note", "fields": {"file": {"value": {"fileChecksum": "$checksum", "size": 3, "receipt": "$receipt", "wrappingKey": "AAAA", "referenceChecksum": "AAAA", "downloadURL": "http://x"}}, "files": {"value": [{"fileChecksum": "$checksum", "size": 3, "receipt": "$receipt"}], "type": "ASSETID_LIST"}}}}], "zoneID": {"zoneName": "Z"}}"#
        ),
        (
            "records/resolve",
            #"{"shortGUIDs": [{"value": "$guid", "shouldFetchRootRecord": true, "rootRecordDesiredKeys": ["a"]}, "$guid", {"value": "no"}]}"#
        ),
        ("records/accept", #"{"shortGUIDs": [{"value": "$guid"}]}"#),
        (
            "assets/upload",
            #"{"zoneID": {"zoneName": "Z"}, "tokens": [{"recordType": "Note", "fieldName": "file"}, {"recordName": "n1", "recordType": "Note", "fieldName": "file", "size": 3}]}"#
        ),
        (
            "assets/rereference",
            #"{"zoneID": {"zoneName": "Z"}, "targetZoneID": {"zoneName": "Z"}, "assets": [{"recordName": "root", "fieldName": "file"}, {"recordName": "no", "fieldName": "file"}]}"#
        ),
        ("records/lookup", #"{"records": [{"recordName": "Share-root"}, {"recordName": "lone"}], "zoneID": \#(zone)}"#),
        (
            "records/query",
            #"{"query": {"recordType": "cloudkit.share"}, "zoneID": \#(zone), "zoneWide": false, "resultsLimit": 1}"#
        ),
        ("records/query", #"{"query": {"recordType": "Note"}, "zoneWide": true, "resultsLimit": 1}"#),
        (
            "changes/zone",
            #"{"zones": [{"zoneID": \#(zone), "syncToken": "$token", "resultsLimit": 1, "desiredRecordTypes": ["Note"]}]}"#
        ),
        ("changes/database", #"{"syncToken": null, "resultsLimit": 1}"#),
        ("zones/lookup", #"{"zones": [\#(zone)]}"#),
        ("zones/modify", #"{"operations": [{"operationType": "delete", "zone": {"zoneID": \#(zone)}}]}"#),
    ]

    private struct Cast {
        let server: TestServer
        let apps: [App]
        let names: [String: String]

        func filled(_ text: String) -> String {
            names.reduce(text) { $0.replacing("$\($1.key)", with: $1.value) }
        }
    }

    private func cast(_ server: TestServer) async throws -> Cast {
        let owner = try await server.signIn("mei@example.com")
        let member = try await server.signIn("ben@example.com")
        try await owner.makeZone("Z")
        let value = try await owner.upload(Array("abc".utf8), zone: "Z")
        let asset = try JSONParser.parse(Array(value.utf8))
        _ = try await owner.modify(
            zone: "Z",
            [
                Operation.write("create", "root", fields: #""file": {"value": \#(value)}"#),
                Operation.write("create", "leaf", extra: #", "parent": {"recordName": "root"}"#),
                Operation.write("create", "lone"),
            ])
        let guid = try await owner.share("root", in: "Z", participants: [Sharing.entry(user: member.user)])
        try await member.accept(guid)
        return Cast(
            server: server, apps: [owner, owner, member, server.app()],
            names: [
                "owner": owner.user, "member": member.user, "guid": guid,
                "tag": try await owner.tag(of: "lone", zone: "Z"),
                "token": try await member.shared("Z", of: owner.user).news().token,
                "checksum": asset[path: "fileChecksum"]?.string ?? "", "receipt": asset[path: "receipt"]?.string ?? "",
            ])
    }

    @Test("Random sharing requests never get a server error", arguments: 0..<4 as Range<UInt64>)
    func fuzz(seed: UInt64) async throws {
        try await TestServer.run { server in
            let cast = try await cast(server)
            var mutator = Mutator(seed: seed + 100)
            for _ in 0..<300 {
                let (endpoint, body) = mutator.pick(Self.seeds)
                let app = mutator.pick(cast.apps)
                let bytes = mutator.one(in: 6) ? Array(cast.filled(body).utf8) : mutator.mutated(cast.filled(body))
                // In the private database the owner would delete the zone, and with it all there is to damage.
                let database =
                    endpoint == "zones/modify"
                    ? "shared" : mutator.pick(["private", "private", "public", "shared", "shared"])
                let target = app.target("\(database)/\(endpoint)")
                let answer = try await server.client.execute(uri: target, method: .post, body: ByteBuffer(bytes: bytes))
                let faults = Contract.shared.faults(of: Answer(answer), to: .post, target)
                #expect(
                    answer.status.code < 500 && faults == [],
                    "\(target) \(String(decoding: bytes, as: UTF8.self)): \(String(buffer: answer.body)) \(faults)")
            }
            #expect(try await cast.apps[0].lookup(zone: "Z", "nobody").status == 200)
        }
    }
}
