@testable import CloudHTTP
import CloudAccounts
import TestCloud
import CloudModel
import CloudOperations
import NIOCore
import Testing

/// Requests that are tried as somebody: they are answered as the real ones, and leave nothing behind.
@Suite(.timeLimit(.minutes(20)))
struct RehearsalTests {
    private static let container = "iCloud.com.example.test"

    @Test("120 generated requests are answered in a dry run as they are for real, without a change")
    func sameAnswers() async throws {
        let clock = TestClock()
        try await TestServer.run(clock: clock.now) { server in
            let stage = try await RehearsalStage(server: server)
            var generator = SeededGenerator(seed: 20_260_917)
            var refused = 0
            for _ in 0..<120 {
                clock.advance(.seconds(1))
                let request = stage.request(&generator)
                let before = try await stage.state()
                let dry = try await stage.rehearse(request)
                #expect(try await stage.state() == before, "\(request)")
                let real = try await stage.send(request)
                #expect(dry["status"]?.integer == Int64(real.status), "\(request): \(dry.text)")
                let (tried, answered) = (try Self.plain(dry["answer"]), try Self.plain(real.json))
                #expect(tried == answered, "\(request)")
                let isRefused = real.status != 200 || real.text.contains("serverErrorCode")
                #expect(dry["isRefused"]?.bool == isRefused, "\(request)")
                if isRefused { refused += 1 }
            }
            #expect((24...96).contains(refused), "\(refused) of the requests were refused")
        }
    }

    @Test("Act as shows whether a request would be refused, and why") func verdict() async throws {
        try await TestServer.run { server in
            let stage = try await RehearsalStage(server: server)
            let dry = try await stage.rehearse(
                RehearsalStage.Request(
                    who: stage.omar, database: "public", operation: "records/modify",
                    body:
                        #"{"operations": [{"operationType": "forceDelete", "record": {"recordName": "n1"}}]}"#))
            #expect(dry["verdict"]?.string?.hasPrefix("Would be refused: ACCESS_DENIED, because") == true)
            #expect(dry["operations.0.serverErrorCode"] == "ACCESS_DENIED")
            #expect(dry.column("trail", "outcome").last == .string("stopped"))
            let nobody = try await stage.rehearse(
                RehearsalStage.Request(
                    who: nil, database: "private", operation: "records/query",
                    body: #"{"query": {"recordType": "Note"}}"#))
            #expect(nobody["status"] == 421 && nobody["answer.serverErrorCode"] == "AUTHENTICATION_REQUIRED")
            let lines = try await server.accounts.audit.entries(limit: 10)
            #expect(
                lines.filter { $0.action == "tried a request as somebody" }.map(\.person) == [nil, stage.omar.user])
        }
    }

    @Test("Act as with wrong arguments answers BAD_REQUEST")
    func badArguments() async throws {
        try await TestServer.run { server in
            let token = try await server.managementToken([.recordsRead])
            for body in [
                #"{}"#, #"{"operation": "zones/modify", "body": {}}"#, #"{"operation": "records/query"}"#,
                #"{"operation": "records/query", "body": [], "database": "public"}"#,
                #"{"operation": "records/query", "body": {}, "database": "secret"}"#,
                #"{"operation": "records/query", "body": {}, "user": "_a", "key": "b"}"#,
                #"{"operation": "records/query", "body": {}, "user": "_a", "operator": true}"#,
                #"{"operation": "records/query", "body": {}, "database": "private", "operator": true}"#,
                #"{"operation": "records/query", "body": {}, "operator": "yes"}"#,
            ] {
                let answer = try await server.manage(
                    .post, "\(Self.container)/development/act-as", token: token, body: body)
                #expect(answer.status == 400, "\(answer.text)")
            }
        }
    }

    /// Sorted, without what is of one request alone: its id, and the link to sign in.
    private static func plain(_ value: JSONValue?) throws -> String {
        let members = (value?.object?.members ?? []).filter { !["uuid", "redirectURL"].contains($0.key) }
        return String(decoding: try OperationJSON.encode(JSONValue.object(JSONObject(members))), as: UTF8.self)
    }
}
