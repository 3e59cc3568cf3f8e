import TestCloud
import CloudModel
import Testing

/// A browser library keeps one line for all containers of a page, and tells their messages apart by `ck.cid`.
struct OneLineForAllAppsTests {
    private static let containers = ["iCloud.com.example.notes", "iCloud.com.example.photos"]

    @Test("Messages of two containers share one courier URL, in the order of their changes") func order() async throws {
        try await TestServer.run { server in
            var apps: [App] = []
            for container in Self.containers {
                let app = try await server.signIn("mei@example.com", container)
                try await app.save("first")
                try await app.subscribe(Silent.query("Note", as: "notes", on: ["create"]))
                apps.append(app)
            }
            let line = try await apps[0].listening("browser")
            let same = try await apps[1].tokens(
                "register",
                #"{"apnsEnvironment": "development", "apnsToken": "\#(line.ear.token)", "clientId": "browser"}"#)
            #expect(same["apnsToken"]?.string == line.ear.token && same["webcourierURL"]?.string == line.ear.url)
            let turns = [1, 0, 0, 1, 0, 1]
            for (index, turn) in turns.enumerated() { try await apps[turn].on("phone").save("n\(index)") }
            for (index, turn) in turns.enumerated() {
                let message = try await line.next()
                #expect(message[path: "ck.cid"]?.string == Self.containers[turn])
                #expect(message[path: "ck.qry.rid"]?.string == "n\(index)")
            }
            for app in apps {
                try await line.hears("notes created late") { try await app.on("phone").save("late") }
            }
        }
    }

    @Test("A change that fires several subscriptions gives one message each, with the same id")
    func sharedNumber() async throws {
        try await TestServer.run { server in
            let app = try await server.signIn("mei@example.com")
            try await app.save("first")
            try await app.subscribe(
                Silent.query("Note", as: "created", on: ["create"]),
                Silent.query("Note", as: "anything", on: ["create", "update"]), Silent.database(as: "all"))
            let line = try await app.listening("browser")
            try await app.on("phone").save("second")
            var numbers: Set<String> = []
            var subscriptions: Set<String> = []
            for _ in 0..<3 {
                let message = try await line.next()
                numbers.insert(message[path: "ck.nid"]?.string ?? "")
                subscriptions.insert((message[path: "ck.qry.sid"] ?? message[path: "ck.met.sid"])?.string ?? "")
            }
            #expect(numbers.count == 1 && subscriptions == ["created", "anything", "all"])
        }
    }
}
