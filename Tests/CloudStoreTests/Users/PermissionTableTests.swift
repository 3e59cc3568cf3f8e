import CloudModel
import Testing

@testable import CloudStore

/// Who may do what with records of a type in the public database: caller × grant × operation (reference A §12).
struct PermissionTableTests {
    /// The rule, told apart from how the store goes about it: a caller wears hats, and may what any of them is granted.
    enum Visitor: String, CaseIterable {
        case nobody, stranger, creator, member, key

        var caller: Caller {
            switch self {
            case .nobody: .world
            case .stranger: .user(recordName: "_bob")
            case .creator: .user(recordName: "_alice")
            case .member: .user(recordName: "_carol")
            case .key: .serverKey(recordName: "_key")
            }
        }

        /// Every record of the table was made by the creator; what is not there yet was made by nobody.
        func hats(isThere: Bool) -> Set<String> {
            switch self {
            case .nobody: ["_world"]
            case .stranger, .key: ["_world", "_icloud"]
            case .creator: isThere ? ["_world", "_icloud", "_creator"] : ["_world", "_icloud"]
            case .member: ["_world", "_icloud", "editor"]
            }
        }
    }

    enum Outcome: Hashable { case done, denied, signIn, empty }

    enum Deed: String, CaseIterable {
        case lookup, query, create, update, replace, delete, forceUpdateOfNew

        var permission: Permission {
            switch self {
            case .lookup, .query: .read
            case .create, .forceUpdateOfNew: .create
            case .update, .replace, .delete: .write
            }
        }
        var needsRecord: Bool { permission != .create }
    }

    static func expected(_ visitor: Visitor, _ deed: Deed, granted: [String: Set<Permission>]) -> Outcome {
        let wearers = granted.filter { $0.value.contains(deed.permission) }.map(\.key)
        if !visitor.hats(isThere: deed.needsRecord).isDisjoint(with: wearers) { return .done }
        if visitor == .nobody { return .signIn }
        // Who may read what they made themselves is answered, with what that is.
        return deed == .query && wearers.contains("_creator") ? .empty : .denied
    }

    static let roles = ["_world", "_icloud", "_creator", "editor"]

    /// Every set of roles, each granted the same.
    static func grants(_ permissions: Set<Permission>) -> [[String: Set<Permission>]] {
        (0..<16).map { bits in
            let chosen = roles.indices.filter { bits & (1 << $0) != 0 }.map { roles[$0] }
            return Dictionary(uniqueKeysWithValues: chosen.map { ($0, permissions) })
        }
    }

    @Test(arguments: [[Permission.read], [.create], [.write], [.read, .create, .write]])
    func everyCallerGrantAndOperation(permissions: [Permission]) async throws {
        let table = try await PermissionTable(Self.grants(Set(permissions)))
        for (index, granted) in table.grants.enumerated() {
            for visitor in Visitor.allCases {
                for deed in Deed.allCases {
                    let outcome = try await table.outcome(visitor, deed, type: "T\(index)")
                    #expect(
                        outcome == Self.expected(visitor, deed, granted: granted), "\(visitor) \(deed) \(granted)")
                }
            }
        }
    }

    /// What the rule above gives, said once more by hand.
    @Test(
        arguments: [
            (["_world": [.read]], .nobody, .lookup, .done), (["_icloud": [.read]], .nobody, .query, .signIn),
            (["_icloud": [.create]], .key, .create, .done), (["_creator": [.create]], .key, .create, .denied),
            (["_creator": [.create]], .creator, .create, .denied), (["_creator": [.read]], .stranger, .query, .empty),
            (["_creator": [.read]], .stranger, .lookup, .denied), (["editor": [.write]], .member, .delete, .done),
            (["editor": [.write]], .stranger, .delete, .denied), (["editor": [.read]], .nobody, .query, .signIn),
            (["editor": [.create], "_creator": [.write]], .member, .update, .denied),
            (["_world": [.write]], .nobody, .replace, .done),
        ] as [([String: Set<Permission>], Visitor, Deed, Outcome)])
    func byHand(granted: [String: Set<Permission>], visitor: Visitor, deed: Deed, outcome: Outcome) async throws {
        let table = try await PermissionTable([granted])
        #expect(try await table.outcome(visitor, deed, type: "T0") == outcome)
    }

    @Test func aSubscriptionTellsWhoMayRead() async throws {
        let table = try await PermissionTable(Self.grants([.read, .create]))
        let listeners: [Visitor] = [.stranger, .creator, .member]
        for (token, visitor) in listeners.enumerated() {
            let user = try #require(visitor.caller.userRecordName)
            try await table.store.listen(Int64(token), as: user)
            let names = table.grants.indices.map {
                (name: "s\($0)", text: querySubscription("T\($0)", on: #""update""#))
            }
            _ = try await table.store.subscribe(names, user: user, in: .public)
        }
        for (index, granted) in table.grants.enumerated() {
            try await table.grantEverything(to: "T\(index)", but: granted)
            let change = operation(.forceUpdate, "T\(index)-read", type: "T\(index)")
            _ = try await table.store.modify([change], zone: .world, caller: .alice)
            for (token, visitor) in listeners.enumerated() {
                let isTold = Self.expected(visitor, .lookup, granted: granted) == .done
                let news = try await table.store.news(Int64(token))
                #expect(news == (isTold ? ["s\(index)~T\(index)-read"] : []), "\(visitor) \(granted)")
            }
        }
    }
}

/// A store with a type for each set of grants, and with records that everybody tries their hands on.
struct PermissionTable {
    let temporary: TemporaryStore
    let grants: [[String: Set<Permission>]]
    private var tags: [String: String] = [:]
    var store: SQLiteRecordStore { temporary.store }

    init(_ grants: [[String: Set<Permission>]]) async throws {
        temporary = try TemporaryStore()
        self.grants = grants
        try await apply { _ in Grants(["_icloud": [.create]]) }
        let kept = PermissionTableTests.Visitor.allCases.flatMap { visitor in
            ["update", "replace", "delete"].map { "\(visitor)-\($0)" }
        }
        for index in grants.indices {
            let names = ["read"] + kept
            let result = try await store.modify(
                names.map { operation(.create, "T\(index)-\($0)", type: "T\(index)") }, zone: .world, caller: .alice)
            for place in names.indices {
                let tag: String = try #require(result.tag(place), "\(result.errors)")
                tags["T\(index)-\(names[place])"] = tag
            }
        }
        _ = try await store.setRole("editor", of: "_carol", to: true, limits: Limits())
        try await apply { Grants(grants[$0]) }
    }

    private func apply(_ grants: (Int) -> Grants) async throws {
        let types = self.grants.indices.map { ("T\($0)", TypeDefinition(grants: grants($0))) }
        var schema = SchemaDefinition(roles: ["editor"], types: Dictionary(uniqueKeysWithValues: types))
        for (name, type) in try await store.schema().types where SchemaDefinition.builtInTypes.contains(name) {
            schema.types[name] = type
        }
        _ = try await store.apply(schema, production: nil, dryRun: false)
    }

    /// Lets the creator change records of a type that grants something else to read.
    func grantEverything(to type: String, but granted: [String: Set<Permission>]) async throws {
        var schema = try await store.schema()
        var permissions = granted
        permissions["_creator", default: []].insert(.write)
        schema.types[type]?.grants = Grants(permissions)
        _ = try await store.apply(schema, production: nil, dryRun: false)
    }

    func outcome(
        _ visitor: PermissionTableTests.Visitor, _ deed: PermissionTableTests.Deed, type: String
    ) async throws -> PermissionTableTests.Outcome {
        do {
            switch deed {
            case .lookup:
                let found = try await store.lookup(
                    LookupRequest(zone: .world, names: ["\(type)-read"], caller: visitor.caller))
                _ = try found[0].get()
                return .done
            case .query: return try await query(visitor, type)
            case .create, .forceUpdateOfNew:
                let kind: OperationType = deed == .create ? .create : .forceUpdate
                return try await modify(operation(kind, "\(type)-\(visitor)-\(deed)", type: type), visitor)
            case .update, .replace, .delete:
                guard let kind = OperationType(rawValue: deed.rawValue) else { return .empty }
                let name = "\(type)-\(visitor)-\(deed)"
                return try await modify(operation(kind, name, type: type, tag: tags[name]), visitor)
            }
        } catch let error as ServerError {
            return try outcome(of: error)
        }
    }

    private func modify(
        _ operation: String, _ visitor: PermissionTableTests.Visitor
    ) async throws -> PermissionTableTests.Outcome {
        let result = try await store.modify([operation], zone: .world, caller: visitor.caller)
        return try result.error().map { try outcome(of: $0) } ?? .done
    }

    private func query(
        _ visitor: PermissionTableTests.Visitor, _ type: String
    ) async throws -> PermissionTableTests.Outcome {
        let query = try Query(json(#"{"recordType":"\#(type)"}"#), limits: Limits())
        let page = try await store.query(
            QueryRequest(
                zone: .world, zoneWide: false, query: query, continuationMarker: nil, limit: 200, strict: false,
                caller: visitor.caller, limits: Limits()))
        return page.records.isEmpty ? .empty : .done
    }

    private func outcome(of error: ServerError) throws -> PermissionTableTests.Outcome {
        switch error.code {
        case .accessDenied: .denied
        case .authenticationRequired: .signIn
        default: throw error
        }
    }
}
