import CloudServer
import CloudHTTP
import TestCloud
import CloudModel
import Testing

/// Quotas over HTTP: what is refused, and where usage and quota are shown.
@Suite(.timeLimit(.minutes(20)))
struct QuotaRouteTests {
    @Test("The refusal of a full record quota gives the count and the limit") func recordQuota() async throws {
        try await TestServer.run(configure: { $0.limits.quotas.user.records = 2 }) { server in
            let mei = try await server.signIn("mei@example.com")
            for name in ["a", "b"] { try await mei.save(name) }
            let refused = try await mei.modify([Operation.write("create", "c")])
            #expect(refused.status == 413 && refused.code == "QUOTA_EXCEEDED")
            #expect(refused.reason.contains("would have 3 records, at most 2 are allowed (quota.user.records)"))
            #expect(try await mei.modify([Operation.delete("a")]).status == 200)
            try await mei.save("c")
            let token = try await server.managementToken()
            let storage = try await server.manage(.get, "users/mei@example.com/storage", token: token)
            #expect(storage["environments.0.records"]?.integer == 2 && storage["quota.records"]?.integer == 2)
            #expect(storage["quota.bytes"] == nil, "\(storage.text)")
            let person = try await WebVisitor(server).open("/console/person?email=mei@example.com")
            #expect(person.text.contains("2 of 2"))
        }
    }

    @Test("Uploads are refused once the asset quota is full") func assetQuota() async throws {
        try await TestServer.run(configure: { $0.limits.quotas.container.assetBytes = 5 }) { server in
            let mei = try await server.signIn("mei@example.com")
            let (first, second) = (try await mei.upload([1, 2, 3, 4, 5]), try await mei.upload([6]))
            try await mei.save("a", fields: #""file": {"value": \#(first)}"#)
            let refused = try await mei.modify([
                Operation.write("create", "b", fields: #""file": {"value": \#(second)}"#)
            ])
            #expect(refused.status == 413 && refused.reason.contains("6 bytes of assets, at most 5 are allowed"))
            let upload = try await mei.post(
                "private/assets/upload", #"{"tokens": [{"recordType": "Note", "fieldName": "file"}]}"#)
            #expect(upload.status == 413 && upload.reason.contains("quota.container.assetBytes"))
            let token = try await server.managementToken()
            let usage = try await server.manage(.get, "iCloud.com.example.test/development/usage", token: token)
            #expect(usage["assetBytes"]?.integer == 5 && usage["quota.assetBytes"]?.integer == 5, "\(usage.text)")
        }
    }
}
