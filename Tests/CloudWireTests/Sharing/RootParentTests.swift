import TestCloud
import CloudModel
import Testing

/// The parent that the root of a share has outside the share is its owner's to know (reference B §9.1).
struct RootParentTests {
    private struct Cast {
        let mei: App
        let ben: App
        let guid: String
        var seen: SharedZone { ben.shared("Z", of: mei.user) }
    }

    private func withMember(_ body: @Sendable (Cast) async throws -> Void) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("Z")
            _ = try await mei.modify(
                zone: "Z",
                [
                    Operation.write("create", #"hidden \"folder\""#),
                    Operation.write(
                        "create", "root", fields: #""a": {"value": 1}"#,
                        extra: #", "parent": {"recordName": "hidden \"folder\""}"#),
                    Operation.write("create", "leaf", extra: #", "parent": {"recordName": "root"}"#),
                ])
            let guid = try await mei.share("root", in: "Z", permission: "READ_WRITE")
            let ben = try await server.signIn("ben@example.com")
            try await body(Cast(mei: mei, ben: ben, guid: guid))
        }
    }

    @Test("No answer shows a member the parent of the share's root")
    func members() async throws {
        try await withMember { cast in
            var answers = [try await cast.ben.resolve(cast.guid), try await cast.ben.accept(cast.guid)]
            for answer in answers { #expect(answer["results.0.rootRecord.recordName"] == "root") }
            answers.append(try await cast.seen.lookup("root"))
            answers.append(try await cast.seen.query(#"{"recordType": "Note"}"#))
            answers.append(try await cast.seen.changes())
            let fields = #""a": {"value": 2}"#
            answers.append(try await cast.seen.modify(Operation.write("forceUpdate", "root", fields: fields)))
            answers.append(try await cast.seen.modify(Operation.write("forceReplace", "root", fields: fields)))
            answers.append(
                try await cast.seen.modify(Operation.write("forceUpdate", "root", extra: #", "parent": null"#)))
            for answer in answers {
                #expect(answer.text.contains(#""recordName":"root""#))
                #expect(!answer.text.contains("hidden"), "\(answer.text)")
            }
            let leaf = try await cast.seen.lookup("leaf")
            #expect(leaf["records.0.parent.recordName"] == "root")
            let owner = try await cast.mei.lookup(zone: "Z", "root")
            #expect(owner["records.0.parent.recordName"] == #"hidden "folder""#)
            #expect(owner["records.0.fields.a.value"] == 2)
        }
    }

    @Test("A member of the outer share sees the parent of the inner share's root")
    func outerMember() async throws {
        try await withMember { cast in
            try await cast.ben.accept(cast.guid)
            try await cast.mei.save(zone: "Z", "above")
            let guid = try await cast.mei.share("above", in: "Z", permission: "READ_ONLY")
            let moved = try await cast.mei.modify(
                zone: "Z", [Operation.write("forceUpdate", "root", extra: #", "parent": {"recordName": "above"}"#)])
            #expect(moved["records.0.parent.recordName"] == "above", "\(moved.text)")
            #expect(try await cast.seen.lookup("root")["records.0.parent"] == nil)
            try await cast.ben.accept(guid)
            #expect(try await cast.seen.lookup("root")["records.0.parent.recordName"] == "above")
        }
    }
}
