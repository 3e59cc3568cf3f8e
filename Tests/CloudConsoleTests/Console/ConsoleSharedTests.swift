import CloudAccounts
import CloudHTTP
import TestCloud
import CloudModel
import Testing

/// What others share with somebody, as the console and the admin API show it.
@Suite(.timeLimit(.minutes(20)))
struct ConsoleSharedTests {
    private static let place = "container=iCloud.com.example.test&environment=development"
    private static let admin = "iCloud.com.example.test/development"

    /// Two zones of Mei's: of one Omar sees two lists and what is below them, the other is his to see as a whole.
    private func run(_ body: @Sendable (TestServer, _ mei: App, _ omar: App) async throws -> Void) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let omar = try await server.signIn("omar@example.com")
            for zone in ["part", "whole", "other"] {
                try await mei.makeZone(zone)
                for list in ["a", "b", "c"] {
                    try await mei.save(
                        zone: zone, list, type: "List", fields: #""title": {"value": "\#(zone)-\#(list)"}"#)
                    let entry = Operation.write(
                        "create", "\(list)1", type: "Entry", fields: #""text": {"value": "x"}"#,
                        extra: #", "parent": {"recordName": "\#(list)"}"#)
                    _ = try await mei.modify(zone: zone, [entry])
                }
            }
            for root in ["a", "b"] {
                _ = try await omar.accept(try await mei.share(root, in: "part", permission: "READ_ONLY"))
            }
            _ = try await omar.accept(try await mei.share(nil, in: "whole", permission: "READ_ONLY"))
            try await mei.save(zone: "part", "alone", type: "Alone", fields: #""title": {"value": "x"}"#)
            try await body(server, mei, omar)
        }
    }

    private func names(_ page: Answer) -> Set<String> {
        Set(
            page.text.matches(of: #/<a class="row(?: mono)?" href="[^"]*&amp;name=([^"&]*)"/#).map {
                String($0.output.1)
            })
    }

    @Test("The table equals the user's shared database on the wire")
    func records() async throws {
        try await run { server, mei, omar in
            for zone in ["part", "whole"] {
                for type in ["List", "Entry", "Alone"] {
                    let wire = try await omar.shared(zone, of: mei.user).query(#"{"recordType": "\#(type)"}"#)
                    let there =
                        "/console/data?\(Self.place)&database=shared&user=\(omar.user)&owner=\(mei.user)&zone=\(zone)"
                    let page = try await server.send(.get, "\(there)&type=\(type)")
                    #expect(page.status == 200)
                    #expect(names(page) == Set(wire.recordNames), "\(zone) \(type): \(page.text)")
                    #expect(!page.text.contains("name=\"pick\"") && !page.text.contains("New record"))
                    #expect(!page.text.contains("Import…"))
                    let file = try await server.send(
                        .get, there.replacing("/data?", with: "/export?") + "&type=\(type)&form=jsonl")
                    #expect(file.text.split(separator: "\n").count == wire.recordNames.count)
                }
            }
            let page = try await server.send(
                .get,
                "/console/data?\(Self.place)&database=shared&user=\(omar.user)&owner=\(mei.user)&zone=part&type=List"
                    + "&field=title&is=EQUALS&value=part-b")
            #expect(names(page) == ["b"])
            let link = try #require(page.text.firstMatch(of: #/<a class="row(?: mono)?" href="([^"]*)"/#)).output.1
            let record = try await server.send(.get, App.unescaped(String(link)))
            #expect(record.status == 200 && record.text.contains("private database of mei@example.com, zone part"))
        }
    }

    @Test("Zones, types and counts are those that the user sees")
    func tree() async throws {
        try await run { server, mei, omar in
            let token = try await server.managementToken([.recordsRead])
            let zones = try await server.manage(
                .get, "\(Self.admin)/zones?user=omar@example.com&database=shared", token: token)
            let wire = try await omar.get("shared/zones/list")
            #expect(zones.column("items", "zone").compactMap { $0?.string } == wire.zoneNames, "\(zones.text)")
            for (zone, counts) in [("part", ["Entry": 2, "List": 2]), ("whole", ["Entry": 3, "List": 3])] {
                let types = try await server.manage(
                    .get,
                    "\(Self.admin)/types?user=\(omar.user)&database=shared&owner=mei@example.com&zone=\(zone)",
                    token: token)
                var found: [String: Int] = [:]
                for item in types["items"]?.array ?? [] {
                    let type = item[path: "recordType"]?.string ?? ""
                    if !type.hasPrefix("cloudkit.") { found[type] = item[path: "count"]?.integer.map { Int($0) } }
                }
                #expect(found == counts, "\(types.text)")
            }
            let page = try await server.send(.get, "/console/data?\(Self.place)&user=\(omar.user)&database=shared")
            #expect(page.text.contains("part of mei@example.com") && page.text.contains("whole of mei@example.com"))
            let alone = page.text.firstMatch(of: #/database=shared[^"]*type=Alone/#)
            #expect(!page.text.contains(">other") && alone == nil, "\(page.text)")
            let none = try await server.send(.get, "/console/data?\(Self.place)&user=\(mei.user)&database=shared")
            #expect(none.status == 200 && none.text.contains("Nobody shares anything with them"))
        }
    }

    @Test("Viewing shared records adds an audit line with the owner and the viewer")
    func audit() async throws {
        try await run { server, mei, omar in
            let before = try await server.accounts.audit.entries(limit: 100).count
            _ = try await server.send(
                .get,
                "/console/data?\(Self.place)&database=shared&user=\(omar.user)&owner=\(mei.user)&zone=part&type=List")
            let lines = try await server.accounts.audit.entries(limit: 100)
            #expect(lines.count > before)
            let look = try #require(lines.first { $0.action == "looked at a user's records" })
            #expect(look.person == omar.user && look.subject == "shared \(mei.user) part List", "\(look)")
        }
    }

    @Test("An unshared zone and incomplete arguments are refused without showing data")
    func refusals() async throws {
        try await run { server, mei, omar in
            for (query, status) in [
                ("zone=other&owner=OWNER&user=VIEWER", 404), ("zone=part&owner=VIEWER&user=VIEWER", 404),
                ("zone=part&user=VIEWER", 400), ("owner=OWNER&user=VIEWER", 400), ("zone=part&owner=OWNER", 400),
                ("zone=part&owner=_nobody&user=VIEWER", 404), ("zone=_defaultZone&owner=OWNER&user=VIEWER", 404),
            ] as [(String, Int)] {
                let query = query.replacing("OWNER", with: mei.user).replacing("VIEWER", with: omar.user)
                let token = try await server.managementToken([.recordsRead])
                for path in ["types?", "records?type=List&"] {
                    let answer = try await server.manage(
                        .get, "\(Self.admin)/\(path)database=shared&\(query)", token: token)
                    #expect(answer.status == status, "\(path)\(query): \(answer.text)")
                    #expect(!answer.text.contains("other-a"), "\(query)")
                }
                let other = try await server.manage(
                    .get, "\(Self.admin)/types?database=private&user=\(mei.user)", token: token)
                #expect(other.status == 400, "\(query)")
                let visitor = WebVisitor(server)
                _ = try await visitor.open("/console/import?\(Self.place)&type=List")
                let write = try await visitor.submit(
                    "/console/import",
                    [
                        "database": "shared", "owner": mei.user, "user": omar.user, "zone": "part", "type": "List",
                        "rows": "recordName\nnew",
                    ])
                #expect(write.status == 400 && !write.text.contains("done"), "\(write.text)")
            }
        }
    }

    @Test("The shared view is refused to tokens that may not read records")
    func scope() async throws {
        try await run { server, mei, omar in
            let token = try await server.managementToken([.people])
            let answer = try await server.manage(
                .get, "\(Self.admin)/types?database=shared&user=\(omar.user)&owner=\(mei.user)&zone=part", token: token)
            #expect(answer.status == 403, "\(answer.text)")
        }
    }
}
