import CloudAccounts
import CloudHTTP
import TestCloud
import CloudModel
import CloudOperations
import CloudCrypto
import Foundation
import Testing

/// Lists end nowhere: what is far down in one can be found, paged to and revoked.
@Suite(.timeLimit(.minutes(20)))
struct ListTests {
    private static let many = 230
    private static let container = "c000"

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    /// The items of a list, page by page. Between two pages something on the first is taken away.
    private func walk(
        _ path: String, id: String, token: String, _ server: TestServer, taking: (String) async throws -> Void
    ) async throws -> [String] {
        var (found, after): ([String], String?) = ([], nil)
        repeat {
            let place = after.map { "&after=\(Self.encoded($0))" } ?? ""
            let page = try await server.manage(.get, "\(path)limit=50\(place)", token: token)
            #expect(page.status == 200, "\(page.text)")
            let names = page.column("items", id).compactMap { $0?.string ?? $0?.integer.map(String.init) }
            found += names
            after = page["next"]?.string
            if found.count == 50, let last = names.last { try await taking(last) }
        } while after != nil
        return found
    }

    @Test("Every admin list reaches its last item, even when a page's last item is deleted meanwhile")
    func pages() async throws {
        try await TestServer.run { server in
            let accounts = server.accounts
            let token = try await server.managementToken()
            let many = Self.many
            for number in 0..<many { _ = try await accounts.containers.ensure(name: String(format: number)) }
            let key = P256.Signing.PrivateKey().publicKey.pemRepresentation
            let url = try WebhookURL(checking: "https://example.com/")
            for number in 0..<many {
                let (name, email) = ("n\(number)", "p\(number)@example.com")
                _ = try await accounts.apiTokens.create(
                    container: Self.container, environment: .development, name: name)
                _ = try await accounts.managementTokens.create(container: nil, name: name)
                _ = try await accounts.serverKeys.add(
                    container: Self.container, environment: .development, name: name, pem: key)
                _ = try await accounts.webhooks.add(container: Self.container, environment: .development, url: url)
                _ = try await accounts.users.create(email: email)
                _ = try await accounts.operators.add(email: email, role: .owner)
                let account = try #require(try await accounts.users.find(email: email))
                _ = try await accounts.browserLogins.create(account: account, persistent: false)
                let rule = try JSONParser.parse(Array(#"{"recordType": "T\#(number)", "title": "{t}"}"#.utf8))
                try await accounts.pageRules.set(try PageRule(rule), container: Self.container)
            }
            // The container and the token of the tests' own are there too.
            let lists: [(path: String, id: String, more: Int, take: @Sendable (String) async throws -> Void)] = [
                ("containers?", "name", 1, { _ = try await accounts.containers.delete(name: $0) }),
                ("tokens?", "id", 0, { try await accounts.apiTokens.revoke(id: Int64($0) ?? 0) }),
                ("management-tokens?", "id", 1, { try await accounts.managementTokens.revoke(id: Int64($0) ?? 0) }),
                ("keys?", "keyID", 0, { try await accounts.serverKeys.revoke(id: $0) }),
                ("webhooks?", "id", 0, { try await accounts.webhooks.remove(id: Int64($0) ?? 0) }),
                ("operators?", "email", 0, { try await accounts.operators.remove(email: $0) }),
                ("sessions?", "id", 0, { try await accounts.sessions.revoke(id: $0) }),
                (
                    "pages?", "recordType", 0,
                    { try await accounts.pageRules.remove(recordType: $0, container: Self.container) }
                ),
                ("users?", "email", 0, { _ in }),
            ]
            // Containers last: the rest hangs on one of them.
            for list in lists.reversed() {
                let found = try await walk(list.path, id: list.id, token: token, server, taking: list.take)
                #expect(found.count == many + list.more && Set(found).count == found.count, "\(list.path)")
            }
            let wrong = try await server.manage(.get, "management-tokens?after=none", token: token)
            #expect(wrong.status == 400 && wrong.reason.contains("after"), "\(wrong.text)")
        }
    }

    @Test("The console shows the 201st container, and revokes the 201st item of every list")
    func console() async throws {
        try await TestServer.run { server in
            let accounts = server.accounts
            for number in 0..<Self.many { _ = try await accounts.containers.ensure(name: String(format: number)) }
            let last = String(format: Self.many - 1)
            let visitor = WebVisitor(server)
            for path in ["data", "schema", "shares", "push", "act-as"] {
                let page = try await visitor.open("/console/\(path)?container=\(last)&environment=development")
                #expect(page.status == 200 && page.text.contains(last), "\(path): \(page.status)")
                #expect(page.text.contains("All containers…"))
            }
            let none = try await visitor.open("/console/data?container=none&environment=development")
            #expect(none.status == 404)
            // The pages of the overview lead on, and end at the last. Each opens the databases of its twenty.
            var seen: Set<String> = []
            for start in ["/console", "/console?containers=\(String(format: Self.many - 41))"] {
                var address: String? = start
                for _ in 0..<2 {
                    let next = try #require(address)
                    let page = try await visitor.open(next).text
                    // A sum of the containers on one page would pass for that of all.
                    #expect(!page.contains(">Records</dt>") && !page.contains(">Stored</dt>"))
                    seen.formUnion(page.matches(of: #/data\?container=(c\d{3})/#).map { String($0.output.1) })
                    address = page.firstMatch(of: #/rel="next" href="(\/console\?containers=[^"#]*)/#).map {
                        App.unescaped(String($0.output.1))
                    }
                }
                #expect((address == nil) == (start != "/console"))
            }
            #expect(seen.isSuperset(of: (Self.many - 40..<Self.many).map { String(format: $0) }))
            let key = P256.Signing.PrivateKey().publicKey.pemRepresentation
            for number in 0..<Self.many {
                _ = try await accounts.apiTokens.create(container: last, environment: .development, name: "t\(number)")
                _ = try await accounts.managementTokens.create(container: nil, name: "m\(number)")
                _ = try await accounts.serverKeys.add(
                    container: last, environment: .development, name: "k\(number)", pem: key)
                _ = try await accounts.users.create(email: "p\(number)@example.com")
                _ = try await accounts.operators.add(email: "p\(number)@example.com", role: .viewer)
                let rule = try JSONParser.parse(Array(#"{"recordType": "T\#(number)", "title": "{t}"}"#.utf8))
                try await accounts.pageRules.set(try PageRule(rule), container: last)
            }
            let credentials = "/console/settings/credentials"
            for (path, action, left) in [
                (credentials, "revoke-token", { try await accounts.apiTokens.list().count }),
                (credentials, "revoke-key", { try await accounts.serverKeys.list().count { !$0.revoked } }),
                (credentials, "revoke-management-token", { try await accounts.managementTokens.list().count }),
                ("/console/settings/operators", "remove", { try await accounts.operators.list().count }),
                ("/console/settings/pages", "remove", { try await accounts.pageRules.list().count }),
            ] as [(String, String, () async throws -> Int)] {
                let before = try await left()
                let fields = try await lastAction(action, from: path, visitor)
                let answer = try await visitor.submit(path, fields)
                #expect(answer.status == 303, "\(action) \(fields): \(answer.text)")
                #expect(try await left() == before - 1, "\(action)")
            }
        }
    }

    /// The texts that a pattern finds on a page and on those that its lists lead on to.
    private func follow(
        _ address: String, _ next: Regex<(Substring, Substring)>, _ pattern: Regex<(Substring, Substring)>,
        _ visitor: WebVisitor
    ) async throws -> [String] {
        var (place, found): (String?, [String]) = (address, [])
        while let address = place {
            let page = try await visitor.open(address)
            #expect(page.status == 200, "\(address): \(page.text)")
            found += page.text.matches(of: pattern).map { String($0.output.1) }
            place = page.text.firstMatch(of: next).map { App.unescaped(String($0.output.1)) }
        }
        return found
    }

    @Test("The console reaches every remembered request, query and notification, and every shared zone")
    func consoleLists() async throws {
        try await TestServer.run { server in
            let (mei, omar) = (try await server.signIn("mei@example.com"), try await server.signIn("omar@example.com"))
            let visitor = WebVisitor(server)
            let place = "container=iCloud.com.example.test&environment=development"
            // Shared zones.
            let zones = (0..<Self.many).map { "zone\($0)" }
            for zone in zones {
                try await mei.makeZone(zone)
                _ = try await omar.accept(try await mei.share(nil, in: zone, permission: "READ_ONLY"))
            }
            let shared = try await follow(
                "/console/data?\(place)&user=\(omar.user)&database=shared",
                #/href="([^"]*zones=[^"]*)"/#, #/>(zone\d+) of /#, visitor)
            #expect(Set(shared) == Set(zones))
            let token = try await server.managementToken()
            for (query, more) in [("user=\(omar.user)&database=shared&", 0), ("user=\(mei.user)&", 1)] {
                let found = try await walk(
                    "iCloud.com.example.test/development/zones?\(query)", id: "zone", token: token, server
                ) { _ in }
                #expect(found.count == Self.many + more && Set(found).isSuperset(of: zones), "\(query)")
            }
            // Notifications.
            try await mei.watchNotes()
            _ = try await mei.ear("phone")
            for number in 0..<Self.many { try await mei.save("n\(number)") }
            let told = try await follow(
                "/console/push?\(place)", #/rel="next" href="([^"]*notification=[^"]*)"/#, #/>(n\d+)<\/a>/#, visitor)
            #expect(told.count == Self.many && Set(told).count == Self.many)
            let listed = try await walk(
                "iCloud.com.example.test/development/notifications?", id: "recordName", token: token, server
            ) { _ in }
            #expect(listed == (0..<Self.many).reversed().map { "n\($0)" })
            // Queries, as requests and by their shape.
            let kinds = (0..<Self.many).map { "Kind\($0)" }
            for part in [kinds[..<150], kinds[150...]] {
                let operations = part.map { Operation.write("create", $0, type: $0) }
                #expect(try await mei.modify(operations).status == 200)
            }
            for kind in kinds {
                _ = try await mei.post("private/records/query", #"{"query": {"recordType": "\#(kind)"}}"#)
            }
            let ids = try await follow(
                "/console/requests?matching=records/query", #/rel="next" href="([^"]*before=[^"]*)"/#,
                #/href="\/console\/request\?[^"]*uuid=([^"&]*)/#, visitor)
            #expect(ids.count == Self.many && Set(ids).count == Self.many)
            let shapes = try await follow(
                "/console/queries", #/rel="next" href="([^"]*from=[^"]*)"/#, #/>(Kind\d+)<\/a>/#, visitor)
            #expect(Set(shapes) == Set(kinds) && shapes.count == Self.many)
        }
    }

    /// The fields of the last button with an action, of the last page to which the list with it leads.
    private func lastAction(_ action: String, from path: String, _ visitor: WebVisitor) async throws -> [String: String]
    {
        var (address, fields): (String?, [String: String]) = (path, [:])
        var pages = 0
        while let next = address {
            let page = try await visitor.open(next).text
            pages += 1
            address = nil
            // Each table is a section; the one with the action leads on.
            for section in page.split(separator: "<section") where section.contains(#"value="\#(action)""#) {
                address = section.firstMatch(of: #/rel="next" href="([^"]*)"/#).map {
                    App.unescaped(String($0.output.1))
                }
                guard let form = section.split(separator: "<form").last(where: { $0.contains(#"value="\#(action)""#) })
                else { continue }
                fields = [:]
                for match in form.matches(of: #/<input type="hidden" name="([^"]*)" value="([^"]*)"/#) {
                    fields[String(match.output.1)] = App.unescaped(String(match.output.2))
                }
            }
        }
        #expect(pages > 2, "\(path)")
        return fields
    }
}

extension String {
    /// The name of the container with a number.
    fileprivate init(format number: Int) {
        let digits = "\(number)"
        self = "c" + String(repeating: "0", count: 3 - digits.count) + digits
    }
}
