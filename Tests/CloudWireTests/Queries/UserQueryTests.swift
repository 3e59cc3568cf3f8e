import CloudAccounts
import TestCloud
import CloudModel
import Testing

/// User records are found by `users/discover`, not by queries.
struct UserQueryTests {
    @Test(
        "A query for users is refused in both environments", arguments: ["development", "production"],
        ["public", "private"])
    func queries(environment: String, database: String) async throws {
        try await TestServer.run { server in
            var mei = try await server.signIn("mei@example.com", environment: environment)
            if environment == "production" {
                mei.apiToken = try await server.accounts.apiTokens.create(
                    container: mei.container, environment: .production, name: "web"
                ).text
            }
            let filter = #"{"systemFieldName": "recordName", "comparator": "EQUALS", "fieldValue": {"value": "x"}}"#
            for query in [#"{"recordType": "Users"}"#, #"{"recordType": "Users", "filterBy": [\#(filter)]}"#] {
                let answer = try await mei.post("\(database)/records/query", #"{"query": \#(query)}"#)
                #expect(answer.status == 400 && answer.code == "BAD_REQUEST", "\(answer.text)")
                #expect(answer.reason == "Can't query system types")
            }
            let own = try await mei.lookup(in: "public", mei.user)
            #expect(own["records.0.recordType"] == "Users", "\(own.text)")
        }
    }

    @Test("No subscription notifies of users") func subscriptions() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let subscription = """
                {"operations": [{"operationType": "create", "subscription": {"subscriptionType": "query",
                 "subscriptionID": "s", "query": {"recordType": "Users"}, "firesOn": ["create"]}}]}
                """
            let answer = try await mei.post("public/subscriptions/modify", subscription)
            #expect(answer["subscriptions.0.reason"] == "Can't query system types", "\(answer.text)")
        }
    }
}
