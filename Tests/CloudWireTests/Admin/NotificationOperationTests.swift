import CloudWire
import CloudServer
import CloudHTTP
import TestCloud
import CloudModel
import NIOCore
import Testing

/// The log of notifications, and the message that tries a client.
@Suite(.timeLimit(.minutes(20)))
struct NotificationOperationTests {
    private static let place = "container=iCloud.com.example.test&environment=development"

    private func run(_ body: @Sendable (TestServer, App, Operator) async throws -> Void) async throws {
        try await TestServer.run(configure: { $0.push.courierHold = .milliseconds(50) }) { server in
            let mei = try await server.signIn("mei@example.com")
            try await body(server, mei, try await server.makeOperator())
        }
    }

    private func log(_ program: Operator, _ query: String = "") async throws -> [JSONValue] {
        let answer = try await program.send(.get, "notifications\(query)")
        #expect(answer.status == 200, "\(answer.text)")
        return answer["items"]?.array ?? []
    }

    @Test("A notification is logged as queued and as delivered, with its names but not its values")
    func queuedAndDelivered() async throws {
        try await run { server, mei, program in
            try await mei.watchNotes()
            let ear = try await mei.ear("phone")
            try await mei.save("n1", fields: #""title": {"value": "secret words"}"#)
            let queued = try #require(try await log(program).first)
            #expect(queued[path: "state"]?.string == "queued" && queued[path: "latency"] == nil)
            #expect(queued[path: "userRecordName"]?.string == mei.user && queued[path: "clientID"]?.string == "phone")
            #expect(queued[path: "subscriptionID"]?.string == "notes" && queued[path: "recordName"]?.string == "n1")
            #expect(queued[path: "kind"]?.string == "query" && queued[path: "database"]?.string == "private")
            #expect(try await ear.news() == "notes n1")
            try await until { try await log(program).first?[path: "state"]?.string == "delivered" }
            let delivered = try #require(try await log(program).first)
            #expect(delivered[path: "way"]?.string == "poll" && delivered[path: "latency"]?.integer != nil)
            let text = try await program.send(.get, "notifications").text
            #expect(!text.contains("secret words") && !text.contains(ear.token))
            #expect(try await log(program, "?limit=1").count == 1)
            #expect(try await program.send(.get, "notifications", in: "production").text == #"{"items":[]}"#)
        }
    }

    @Test("A dry run and an undone request leave no log line")
    func undone() async throws {
        try await run { server, mei, program in
            try await mei.watchNotes()
            try await mei.makeZone("Z")
            _ = try await mei.ear("phone")
            let save = Operation.write("create", "n1")
            let dry = try await program.send(
                .post, "act-as",
                body: """
                    {"user": "\(mei.user)", "database": "private", "operation": "records/modify",
                        "body": {"operations": [\(save)]}}
                    """)
            #expect(dry.status == 200, "\(dry.text)")
            let stale = #"{"operationType": "delete", "record": {"recordName": "gone", "recordChangeTag": "x"}}"#
            let failed = try await mei.post(
                "private/records/modify",
                #"{"operations": [\#(save), \#(stale)], "atomic": true, "zoneID": {"zoneName": "Z"}}"#)
            #expect(failed.text.contains("ATOMIC_ERROR"), "\(failed.text)")
            #expect(try await log(program).isEmpty)
        }
    }

    @Test("A test message names a subscription of the device's user and reaches that device only")
    func testMessage() async throws {
        try await run { server, mei, program in
            try await mei.watchNotes()
            let (phone, tablet) = (try await mei.ear("phone"), try await mei.ear("tablet"))
            let id = try #require(try await program.send(.get, "devices")["items.0.id"]?.integer)
            let sent = try await program.send(.post, "devices/\(id)/test", body: "{}")
            #expect(sent.status == 200 && sent["subscriptionID"]?.string == "notes", "\(sent.text)")
            #expect(sent["userRecordName"]?.string == mei.user)
            #expect(try await log(program).count == 1)
            let message = try await phone.poll()
            #expect(message["ck.qry.sid"]?.string == "notes" && message["ck.qry.rid"] == nil)
            #expect(message["aps.content-available"] == 1 && message["aps.alert"] == nil)
            #expect(message["ck.cid"]?.string == mei.container && message["ck.ckuserid"]?.string == mei.user)
            #expect(try await tablet.news().isEmpty)
            let audit = try await server.manage(.get, "audit", token: try await server.managementToken())
            let actions = audit.column("items", "action").compactMap { $0?.string }
            let changes = actions.filter { !$0.hasPrefix("looked at") }
            #expect(changes.first == "sent a device a test notification", "\(audit.text)")
        }
    }

    @Test("A test message without a subscription or a device is refused with the reason")
    func refusals() async throws {
        try await run { server, mei, program in
            let ear = try await mei.ear("phone")
            let id = try #require(try await program.send(.get, "devices")["items.0.id"]?.integer)
            let silent = try await program.send(.post, "devices/\(id)/test", body: "{}")
            #expect(silent.status == 400 && silent.reason.contains("has no subscription here"), "\(silent.text)")
            #expect(try await program.send(.post, "devices/999/test", body: "{}").status == 404)
            #expect(try await program.send(.post, "devices/none/test", body: "{}").status == 400)
            #expect(try await ear.news().isEmpty)
        }
    }

    @Test("The Push view lists the last notifications and sends a test")
    func view() async throws {
        try await run { server, mei, program in
            try await mei.watchNotes("watch<i>")
            let ear = try await mei.ear("phone<b>")
            let visitor = WebVisitor(server)
            let page = try await visitor.open("/console/push?\(Self.place)")
            #expect(page.text.contains("No notification has been queued here since the server started."))
            #expect(page.text.contains(">Send a test<"))
            let sent = try await visitor.submit("/console/push", ["do": "test"])
            #expect(sent.status == 303, "\(sent.text)")
            let queued = try await visitor.open("/console/push?\(Self.place)").text
            #expect(queued.contains(">queued<") && queued.contains("watch&lt;i&gt;"), "\(queued)")
            #expect(queued.contains("phone&lt;b&gt;") && !queued.contains("phone<b>"))
            #expect(try await ear.news() == "watch<i>")
            try await until {
                try await visitor.open("/console/push?\(Self.place)").text.contains(">delivered by poll<")
            }
            try await mei.save("n1")
            let link = "/console/record?container=iCloud.com.example.test&amp;environment=development&amp;name=n1"
            #expect(try await visitor.open("/console/push?\(Self.place)").text.contains(link))
        }
    }

    @Test("A message that a webhook refused is logged with its fault")
    func webhooks() async throws {
        try await TestServer.run(webhooks: .quick) { server in
            let mei = try await server.subscriber()
            let program = try await server.makeOperator()
            _ = try await server.addWebhook("http://127.0.0.1:1/in")
            try await until {
                try await mei.save("probe")
                return try await log(program).contains { $0[path: "state"]?.string == "failed" }
            }
            let failed = try #require(try await log(program).first { $0[path: "state"]?.string == "failed" })
            #expect(failed[path: "webhook"]?.integer == 1 && failed[path: "fault"]?.string?.isEmpty == false)
        }
    }
}
