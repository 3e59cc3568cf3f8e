import TestCloud
import CloudModel
import Foundation
import Testing

/// Names of records that a member of a share does not see.
struct HiddenNameTests {
    private func withMember(_ body: @Sendable (_ mei: App, _ zone: SharedZone) async throws -> Void) async throws {
        try await TestServer.run { server in
            let (mei, omar) = (try await server.signIn("mei@example.com"), try await server.signIn("omar@example.com"))
            try await mei.makeZone("Z")
            try await mei.save(zone: "Z", "root")
            try await mei.save(zone: "Z", "hidden", fields: #""text": {"value": "secret"}"#)
            let guid = try await mei.share("root", in: "Z", participants: [Sharing.entry(user: omar.user)])
            #expect(try await omar.accept(guid)["results.0.participantStatus"] == "ACCEPTED")
            try await body(mei, omar.shared("Z", of: mei.user))
        }
    }

    private static let parent = #", "parent": {"recordName": "root"}"#

    /// Creations that are refused whatever the name: without a parent, with one that is not shared, of a type or with
    /// fields that are none, and beside an operation that fails.
    private static let refused: [(@Sendable (String) -> [String])] = [
        { [Operation.write("create", $0)] },
        { [Operation.write("create", $0, extra: #", "parent": {"recordName": "nothing"}"#)] },
        { [Operation.write("forceUpdate", $0)] },
        { [Operation.write("forceReplace", $0)] },
        { [Operation.write("create", $0, type: "cloudkit.share")] },
        { [Operation.write("create", $0, type: "1", extra: parent)] },
        { [Operation.write("create", $0, type: nil, extra: parent)] },
        { [Operation.write("create", $0, fields: #""text": {"value": 1}"#, extra: parent)] },
        { [Operation.write("create", $0, extra: parent), Operation.write("update", "nothing", tag: "1")] },
        { [Operation.write("create", $0, extra: parent), Operation.write("create", "other")] },
        { [Operation.write("update", $0, tag: "1")] },
        { [Operation.delete($0)] }, { [Operation.delete($0, tag: "1")] },
    ]

    @Test("A refused operation gets the same answer for a hidden name as for a free one", arguments: refused.indices)
    func refusalsTellNothing(index: Int) async throws {
        try await withMember { mei, zone in
            let before = try await mei.tag(of: "hidden", zone: "Z")
            let answers = try await ["hidden", "absent"].asyncMap { name in
                try await zone.modify(operations: Self.refused[index](name)).text
                    .replacing(name, with: "NAME")
                    .replacing(#/"uuid": ?"[^"]*"/#, with: "").replacing(#/[0-9a-f]{8}-[0-9a-f-]{27}/#, with: "")
            }
            #expect(answers[0] == answers[1])
            #expect(try await mei.tag(of: "hidden", zone: "Z") == before)
            #expect(try await mei.lookup(zone: "Z", "absent")["records.0.serverErrorCode"] == "NOT_FOUND")
        }
    }

    @Test("Creating a record under a hidden name is refused as a conflict, and changes nothing")
    func takenName() async throws {
        try await withMember { mei, zone in
            let creation = Operation.write("create", "hidden", fields: #""text": {"value": "x"}"#, extra: Self.parent)
            let taken = try await zone.modify(creation)
            #expect(taken["records.0.serverErrorCode"] == "CONFLICT", "\(taken.text)")
            #expect(!taken.text.contains("secret") && !taken.text.contains("_taken"))
            let free = Operation.write("create", "free", extra: Self.parent)
            let both = try await zone.app.post(
                "shared/records/modify",
                #"{"operations": [\#(creation), \#(free)], "zoneID": \#(zone.id), "atomic": false}"#)
            #expect(both["records.0.serverErrorCode"] == "CONFLICT", "\(both.text)")
            #expect(both["records.1.recordName"] == "free" && both["records.1.serverErrorCode"] == nil)
            let all = try await mei.changes("Z")
            let names = all["records"]?.array?.compactMap { $0.object?["recordName"]?.string }.sorted()
            #expect(names == ["Share-root", "free", "hidden", "root"])
        }
    }
}
