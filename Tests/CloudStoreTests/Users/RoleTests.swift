import CloudModel
import TestStore
import Testing

@testable import CloudStore

/// Custom roles of users: who sets them, and from when on they count.
@Suite(.timeLimit(.minutes(20)))
struct RoleTests {
    let temporary: TemporaryStore
    var store: EnvironmentStore { temporary.store }

    init() throws { temporary = try TemporaryStore() }

    /// Notes that alone their creators and editors may read.
    private func prepare() async throws {
        var schema = try await store.schema.current()
        schema.roles = ["reader", "editor"]
        schema.types["Note"] = TypeDefinition(
            fields: ["rank": FieldDeclaration(FieldType(.int64), indexes: [.queryable, .sortable])],
            grants: Grants(["_icloud": [.create], "_creator": [.read, .write], "editor": [.read, .write]]))
        _ = try await store.schema.apply(schema, production: nil, dryRun: false)
    }

    private func set(_ role: String, of user: String = "_bob", _ isGranted: Bool = true) async throws -> [String] {
        try await store.roles.set(role, of: user, to: isGranted, limits: Limits()).roles
    }

    private func roles(of user: String, in store: EnvironmentStore? = nil) async throws -> Set<String> {
        let members = try await (store ?? self.store).roles.members(after: "", limit: 100)
        return Set(members.first { $0.userRecordName == user }?.roles ?? [])
    }

    private func mayRead(_ name: String, _ caller: Caller = .bob) async throws -> Bool {
        let found = try await store.records.lookup(LookupRequest(zone: .world, names: [name], caller: caller))
        return (try? found[0].get()) != nil
    }

    @Test("A role is effective from the next request until it is revoked")
    func roleChange() async throws {
        try await prepare()
        _ = try await store.modify([operation(.create, "a")], zone: .world)
        #expect(try await !mayRead("a"))
        #expect(try await set("editor") == ["editor"])
        #expect(try await mayRead("a"))
        #expect(try await roles(of: "_bob") == ["editor"])
        #expect(try await store.record("_bob", zone: .world).field("roles") == .array([.integer(2)]))
        let change = operation(.forceUpdate, "a", fields: #"{"rank":{"value":1}}"#)
        #expect(try await store.modify([change], zone: .world, caller: .bob).error() == nil)
        #expect(try await set("editor", of: "_bob", false) == [])
        #expect(try await !mayRead("a"))
        #expect(try await store.modify([change], zone: .world, caller: .bob).error()?.code == .accessDenied)
        #expect(try await store.record("_bob", zone: .world).field("roles") == nil)
    }

    @Test("A user's roles are stored in the order of the roles' numbers") func order() async throws {
        try await prepare()
        _ = try await set("editor")
        #expect(try await set("reader") == ["reader", "editor"])
        #expect(try await set("reader") == ["reader", "editor"])
        let reopened = try temporary.open()
        #expect(try await roles(of: "_bob", in: reopened) == ["reader", "editor"])
        #expect(
            try await reopened.roles.members(after: "", limit: 10)
                == [RoleMember(userRecordName: "_bob", roles: ["reader", "editor"])])
    }

    @Test("The members of roles are listed in pages") func memberPages() async throws {
        try await prepare()
        for number in 0..<7 { _ = try await set("reader", of: "_u\(number)") }
        try await store.users.ensure("_z")
        let first = try await store.roles.members(after: "", limit: 4).map(\.userRecordName)
        #expect(first == ["_u0", "_u1", "_u2", "_u3"])
        let rest = try await store.roles.members(after: "_u3", limit: 4).map(\.userRecordName)
        #expect(rest == ["_u4", "_u5", "_u6"])
    }

    @Test("Granting an unknown role is refused") func unknownRole() async throws {
        try await prepare()
        let error = await #expect(throws: ServerError.self) { try await set("owner") }
        #expect(error?.code == .notFound)
        #expect(error?.reason.contains("'owner'") == true)
    }

    /// A removed role's number is used for no other.
    @Test("A removed role's number is not reused") func removedNumber() async throws {
        try await prepare()
        _ = try await set("editor")
        var schema = try await store.schema.current()
        schema.roles = ["reader"]
        schema.types["Note"]?.grants = .standard
        _ = try await store.schema.apply(schema, production: nil, dryRun: false)
        schema.roles.append("newcomer")
        schema.types["Note"]?.grants = Grants(["newcomer": [.read]])
        _ = try await store.schema.apply(schema, production: nil, dryRun: false)
        #expect(try await roles(of: "_bob") == [])
        #expect(store.records.catalog.roles.keys.sorted() == [1, 3])
    }

    @Test(
        "A user's save that would change their roles is refused",
        arguments: [OperationType.update, .forceUpdate, .replace, .forceReplace])
    func ownRoles(kind: OperationType) async throws {
        try await prepare()
        _ = try await set("reader")
        let tag = try await store.record("_bob", zone: .world)["recordChangeTag"]?.string
        func write(_ fields: String, caller: Caller = .bob) async throws -> ServerError? {
            let tag =
                kind.needsChangeTag ? try await store.record("_bob", zone: .world)["recordChangeTag"]?.string : nil
            return try await store.modify(
                [operation(kind, "_bob", type: "Users", tag: tag, fields: fields)], zone: .world, caller: caller
            ).error()
        }
        for roles in [#"{"value":[1,2]}"#, #"{"value":[]}"#, #"{"value":null}"#, #"{"value":[2]}"#] {
            let error = try await write(#"{"roles":\#(roles)}"#)
            #expect(error?.code == .accessDenied, "\(roles)")
            #expect(error?.reason.contains("field 'roles'") == true)
        }
        #expect(try await store.record("_bob", zone: .world)["recordChangeTag"]?.string == tag)
        // To say what is so is fine, and to say nothing of it changes nothing.
        #expect(try await write(#"{"roles":{"value":[1]},"nick":{"value":"B"}}"#) == nil)
        #expect(try await write(#"{"nick":{"value":"Bo"}}"#) == nil)
        let record = try await store.record("_bob", zone: .world)
        #expect(record.field("roles") == .array([.integer(1)]))
        #expect(record.field("nick") == .string("Bo"))
        #expect(try await roles(of: "_bob") == ["reader"])
    }

    @Test("A user cannot give themselves roles") func selfAssignment() async throws {
        try await prepare()
        try await store.users.ensure("_bob")
        let write = operation(.forceUpdate, "_bob", type: "Users", fields: #"{"roles":{"value":[2]}}"#)
        #expect(try await store.modify([write], zone: .world, caller: .bob).error()?.code == .accessDenied)
        try await store.users.ensure("_key")
        let key = operation(.forceUpdate, "_key", type: "Users", fields: #"{"roles":{"value":[2]}}"#)
        let refused = try await store.modify([key], zone: .world, caller: .serverKey(recordName: "_key")).error()
        #expect(refused?.code == .accessDenied)
        let nothing = operation(.forceUpdate, "_bob", type: "Users", fields: #"{"roles":{"value":[]}}"#)
        #expect(try await store.modify([nothing], zone: .world, caller: .bob).error() == nil)
    }

    /// Pages are as full as for somebody who may read everything.
    @Test(
        "Pages of a query are full although the caller may not read some records",
        arguments: [#""sortBy":[{"fieldName":"rank","ascending":false}]"#, #""sortBy":[]"#])
    func fullPages(sort: String) async throws {
        try await prepare()
        for start in stride(from: 0, to: 60, by: 20) {
            for (caller, parity) in [(Caller.alice, 0), (.user(recordName: "_dan"), 1)] {
                let notes = (start..<(start + 20)).filter { $0 % 2 == parity }.map {
                    operation(.create, "n\($0)", fields: #"{"rank":{"value":\#($0 % 7)}}"#)
                }
                _ = try await store.modify(notes, zone: .world, caller: caller)
            }
        }
        _ = try await set("editor")
        for (caller, count) in [(Caller.alice, 30), (.bob, 60), (.user(recordName: "_eve"), 0)] {
            var marker: String?
            var sizes: [Int] = []
            var names: Set<String> = []
            repeat {
                let query = try Query(json(#"{"recordType":"Note",\#(sort)}"#), limits: Limits())
                let page = try await store.queries.query(
                    QueryRequest(
                        zone: .world, zoneWide: false, query: query, continuationMarker: marker, limit: 8,
                        strict: false, caller: caller, limits: Limits()))
                sizes.append(page.records.count)
                for record in page.records { names.insert(try changeName(record)) }
                marker = page.continuationMarker
            } while marker != nil
            #expect(names.count == count)
            #expect(sizes.dropLast().allSatisfy { $0 == 8 } && sizes.reduce(0, +) == count, "\(sizes)")
        }
    }

    /// While others read without end, nobody is answered by roles that are no more.
    @Test("A read that begins after a role change sees it") func freshRead() async throws {
        try await prepare()
        _ = try await store.modify([operation(.create, "a")], zone: .world)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    while !Task.isCancelled {
                        _ = try await mayRead("a")
                        // A small read does not give its thread up, and there may be no other.
                        await Task.yield()
                    }
                }
            }
            for round in 0..<100 {
                let isGranted = round % 2 == 0
                _ = try await set("editor", of: "_bob", isGranted)
                #expect(try await mayRead("a") == isGranted, "\(round)")
            }
            group.cancelAll()
        }
    }

    /// A page is gone on with by whoever has got or lost a role meanwhile.
    @Test("A continuation marker stays valid when a role changes") func keptMarker() async throws {
        try await prepare()
        for (caller, names) in [(Caller.alice, 0..<5), (.bob, 5..<10)] {
            _ = try await store.modify(names.map { operation(.create, "n\($0)") }, zone: .world, caller: caller)
        }
        func page(_ marker: String?) async throws -> (names: [String], marker: String?) {
            let query = try Query(json(#"{"recordType":"Note"}"#), limits: Limits())
            let page = try await store.queries.query(
                QueryRequest(
                    zone: .world, zoneWide: false, query: query, continuationMarker: marker, limit: 2, strict: false,
                    caller: .bob, limits: Limits()))
            return (try page.records.map(changeName), page.continuationMarker)
        }
        _ = try await set("editor")
        let first = try await page(nil)
        #expect(first.names == ["n0", "n1"])
        _ = try await set("editor", of: "_bob", false)
        #expect(try await page(first.marker).names == ["n5", "n6"])
    }
}
