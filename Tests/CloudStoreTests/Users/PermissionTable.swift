import CloudModel
import TestStore
import Testing

@testable import CloudStore

/// A store with a type for each set of grants, and with records that everybody tries their hands on.
struct PermissionTable {
    let temporary: TemporaryStore
    let grants: [[String: Set<Permission>]]
    private var tags: [String: String] = [:]
    var store: EnvironmentStore { temporary.store }

    init(_ grants: [[String: Set<Permission>]]) async throws {
        temporary = try TemporaryStore()
        self.grants = grants
        try await apply { _ in Grants(["_icloud": [.create]]) }
        let kept = Visitor.allCases.flatMap { visitor in
            Deed.allCases.filter(\.hasItsOwnRecord).map { "\(visitor)-\($0)" }
        }
        for index in grants.indices {
            let names = ["read"] + kept
            let secret = #"{"secret":{"value":"s"}}"#
            let result = try await store.modify(
                names.map { operation(.create, "T\(index)-\($0)", type: "T\(index)", fields: secret) }, zone: .world,
                caller: .alice)
            for place in names.indices {
                let tag: String = try #require(result.tag(place), "\(result.errors)")
                tags["T\(index)-\(names[place])"] = tag
            }
        }
        _ = try await store.roles.set("editor", of: "_carol", to: true, limits: Limits())
        try await apply { Grants(grants[$0]) }
    }

    private func apply(_ grants: (Int) -> Grants) async throws {
        let text = FieldDeclaration(FieldType(.string), indexes: [.queryable])
        let types = self.grants.indices.map {
            ("T\($0)", TypeDefinition(fields: ["secret": text, "own": text], grants: grants($0)))
        }
        var schema = SchemaDefinition(roles: ["editor"], types: Dictionary(uniqueKeysWithValues: types))
        for (name, type) in try await store.schema.current().types where SchemaDefinition.builtInTypes.contains(name) {
            schema.types[name] = type
        }
        _ = try await store.schema.apply(schema, production: nil, dryRun: false)
    }

    /// Lets the creator make and change records of a type that grants something else to read.
    func grantEverything(to type: String, but granted: [String: Set<Permission>]) async throws {
        var schema = try await store.schema.current()
        var permissions = granted
        permissions["_creator", default: []].insert(.write)
        permissions["_icloud", default: []].insert(.create)
        schema.types[type]?.grants = Grants(permissions)
        _ = try await store.schema.apply(schema, production: nil, dryRun: false)
    }

    /// The outcome of asking for an asset's upload URL.
    func upload(_ visitor: Visitor, type: String) async throws -> Outcome {
        try await store.roles.refusal(ofSaving: [type], as: visitor.caller).map { outcome(of: $0) } ?? .done
    }

    /// The outcome of each deed.
    func outcomes(_ visitor: Visitor, type: String) async throws -> [Deed: Outcome] {
        var outcomes: [Deed: Outcome] = [
            .lookup: try await lookup(visitor, type), .query: try await query(visitor, type),
        ]
        let writes = Deed.allCases.filter { $0.operation != nil }
        // Who is not signed in is refused the whole request.
        let batches = visitor == .nobody ? writes.map { [$0] } : [writes]
        for batch in batches {
            for (deed, outcome) in zip(batch, try await perform(batch, visitor, type)) { outcomes[deed] = outcome }
        }
        return outcomes
    }

    private func perform(_ deeds: [Deed], _ visitor: Visitor, _ type: String) async throws -> [Outcome] {
        let operations = deeds.compactMap { deed in
            deed.operation.map { kind in
                let name = deed.isOfTheSharedRecord ? "\(type)-read" : "\(type)-\(visitor)-\(deed)"
                let tag = deed.sendsWrongTag ? "1" : deed.sendsTag ? tags[name] ?? "1" : nil
                return operation(kind, name, type: type, tag: tag, fields: #"{"own":{"value":"o"}}"#)
            }
        }
        do {
            let result = try await store.modify(operations, zone: .world, caller: visitor.caller)
            return result.outcomes.map(outcome)
        } catch let error as ServerError {
            return deeds.map { _ in outcome(of: error) }
        }
    }

    private func lookup(_ visitor: Visitor, _ type: String) async throws -> Outcome {
        let request = LookupRequest(zone: .world, names: ["\(type)-read"], caller: visitor.caller)
        do {
            _ = try await store.records.lookup(request)[0].get()
            return .done
        } catch let error as ServerError {
            return outcome(of: error)
        }
    }

    private func query(_ visitor: Visitor, _ type: String) async throws -> Outcome {
        do {
            let found = try await store.query(#"{"recordType":"\#(type)"}"#, zone: .world, caller: visitor.caller)
            return found.names.isEmpty ? .empty : .done
        } catch let error as ServerError {
            return outcome(of: error)
        }
    }

    private func outcome(_ outcome: OperationOutcome) -> Outcome {
        if let error = outcome.error { return self.outcome(of: error) }
        guard let saved = outcome.saved else { return .done }
        return saved.field("secret") == nil ? .done : .shown
    }

    private func outcome(of error: ServerError) -> Outcome {
        switch error.code {
        case .accessDenied: .denied
        case .authenticationRequired: .signIn
        case .conflict: .conflict
        case .notFound: .missing
        case .badRequest: .malformed
        default: .other
        }
    }
}
