import CloudModel
import TestStore
import Testing

@testable import CloudStore

/// Permissions for records of a type in the public database: caller × grant × operation (reference A §12).
struct PermissionTableTests {
    /// The rule, told apart from how the store goes about it: a caller wears hats, and may what any of them is granted.
    /// Who may not do something is told that, whatever is there.
    static func expected(_ visitor: Visitor, _ deed: Deed, granted: [String: Set<Permission>]) -> Outcome {
        if may(visitor, deed.permission, deed.presence, granted) {
            let sees = deed.keepsFields && may(visitor, .read, .there, granted)
            return sees ? .shown : deed.permitted
        }
        if visitor == .nobody { return .signIn }
        // Who may read what they made themselves is answered, with what that is.
        return deed == .query && granted["_creator"]?.contains(.read) == true ? .empty : .denied
    }

    /// Bytes are for a record that is to be made, or for one of the caller's own.
    static func expectedOfUpload(_ visitor: Visitor, granted: [String: Set<Permission>]) -> Outcome {
        if may(visitor, .create, .new, granted) || may(visitor, .write, .gone, granted) { return .done }
        return visitor == .nobody ? .signIn : .denied
    }

    private static func may(
        _ visitor: Visitor, _ permission: Permission, _ presence: Deed.Presence, _ granted: [String: Set<Permission>]
    ) -> Bool {
        visitor.hats(presence).contains { granted[$0]?.contains(permission) == true }
    }

    static let roles = ["_world", "_icloud", "_creator", "editor"]

    /// Every set of roles, each granted the same.
    static func grants(_ permissions: Set<Permission>) -> [[String: Set<Permission>]] {
        (0..<16).map { bits in
            let chosen = roles.indices.filter { bits & (1 << $0) != 0 }.map { roles[$0] }
            return Dictionary(uniqueKeysWithValues: chosen.map { ($0, permissions) })
        }
    }

    /// Each role granted something else.
    static func mixedGrants(seed: Int) -> [[String: Set<Permission>]] {
        (0..<12).map { row in
            let sets = roles.indices.map { role in
                let bits = (seed * 11 + row * 5 + role * 3 + row * role * seed) % 8
                return Set(Permission.allCases.enumerated().filter { bits & (1 << $0.offset) != 0 }.map(\.element))
            }
            return Dictionary(uniqueKeysWithValues: zip(roles, sets))
        }
    }

    @Test(
        "Each caller, grant and operation is judged as the rule says",
        arguments: [[Permission.read], [.create], [.write], [.read, .create, .write]])
    func rule(permissions: [Permission]) async throws {
        try await judge(Self.grants(Set(permissions)))
    }

    @Test("Each caller and operation with mixed grants is judged as the rule says", arguments: 1...3)
    func mixedCases(seed: Int) async throws {
        try await judge(Self.mixedGrants(seed: seed))
    }

    private func judge(_ grants: [[String: Set<Permission>]]) async throws {
        let table = try await PermissionTable(grants)
        for (index, granted) in table.grants.enumerated() {
            for visitor in Visitor.allCases {
                let upload = try await table.upload(visitor, type: "T\(index)")
                #expect(upload == Self.expectedOfUpload(visitor, granted: granted), "\(visitor) \(granted)")
                let outcomes = try await table.outcomes(visitor, type: "T\(index)")
                #expect(outcomes.count == Deed.allCases.count)
                for (deed, outcome) in outcomes {
                    #expect(
                        outcome == Self.expected(visitor, deed, granted: granted), "\(visitor) \(deed) \(granted)")
                }
            }
        }
    }

    /// Outcomes of the rule above, said once more by hand.
    @Test(
        "Chosen permission cases have the outcomes written by hand",
        arguments: [
            (["_world": [.read]], .nobody, .lookup, .done), (["_icloud": [.read]], .nobody, .query, .signIn),
            (["_icloud": [.create]], .key, .create, .done), (["_creator": [.create]], .key, .create, .denied),
            (["_creator": [.create]], .creator, .create, .denied), (["_creator": [.read]], .stranger, .query, .empty),
            (["_creator": [.read]], .stranger, .lookup, .denied), (["editor": [.write]], .member, .delete, .done),
            (["editor": [.write]], .stranger, .delete, .denied), (["editor": [.read]], .nobody, .query, .signIn),
            (["editor": [.create], "_creator": [.write]], .member, .update, .denied),
            (["_world": [.write]], .nobody, .replace, .done),
            // Existence is for those who may do something about it.
            (["_world": [.read]], .nobody, .createOfTaken, .signIn), (["_world": [.read]], .nobody, .create, .signIn),
            (["_world": [.read]], .nobody, .updateWithWrongTag, .signIn),
            (["_world": [.read]], .nobody, .updateWithoutTag, .signIn),
            (["_world": [.read]], .nobody, .forceDeleteOfNothing, .signIn),
            (["editor": [.write]], .stranger, .createOfTaken, .denied),
            (["editor": [.write]], .stranger, .deleteWithWrongTag, .denied),
            (["editor": [.write]], .stranger, .forceDeleteOfNothing, .denied),
            (["_creator": [.write]], .stranger, .deleteOfNothing, .missing),
            (["_creator": [.write]], .stranger, .forceDeleteOfNothing, .done),
            (["_world": [.write]], .nobody, .forceDeleteOfNothing, .done),
            (["_icloud": [.create]], .stranger, .createOfTaken, .conflict),
            // An answer shows what its caller may read.
            (["_icloud": [.write], "_creator": [.read]], .stranger, .forceUpdate, .done),
            (["_icloud": [.write], "_creator": [.read]], .creator, .forceUpdate, .shown),
            (["_icloud": [.write], "_world": [.read]], .stranger, .update, .shown),
        ] as [([String: Set<Permission>], Visitor, Deed, Outcome)])
    func chosenCases(granted: [String: Set<Permission>], visitor: Visitor, deed: Deed, outcome: Outcome) async throws {
        let table = try await PermissionTable([granted])
        #expect(try await table.outcomes(visitor, type: "T0")[deed] == outcome)
    }

    /// An operation on nothing that names no type is judged by all there are.
    @Test(
        "A deletion that names no type is judged by the grants of all types",
        arguments: [([:], Outcome.signIn), (["_world": [.write]], .done)] as [([String: Set<Permission>], Outcome)])
    func untyped(granted: [String: Set<Permission>], outcome: Outcome) async throws {
        let table = try await PermissionTable([granted])
        let deletion = operation(.forceDelete, "nothing", type: nil)
        let isDone = try? await table.store.modify([deletion], zone: .world, caller: .world).errors == [nil]
        #expect(isDone ?? false == (outcome == .done))
        #expect(try await table.store.modify([deletion], zone: .world, caller: .bob).errors == [nil])
    }

    /// The whole of the answer, and the record that it is about.
    @Test("A writer without permission to read gets back only the fields that they sent")
    func writeOnly() async throws {
        let table = try await PermissionTable([["_icloud": [.create, .write], "_creator": [.read]]])
        let made = operation(
            .create, "a", type: "T0", fields: #"{"secret":{"value":"s"},"own":{"value":"o"}}"#,
            more: #""parent":{"recordName":"T0-read"},"createShortGUID":true"#)
        #expect(try await table.store.modify([made], zone: .world).errors == [nil])
        for (fields, shown) in [("{}", [String]()), (#"{"own":{"value":"x"}}"#, ["own"])] {
            let change = operation(.forceUpdate, "a", type: "T0", fields: fields)
            let saved = try #require(
                try await table.store.modify([change], zone: .world, caller: .bob).outcomes[0].saved)
            #expect(saved["fields"]?.object?.members.map(\.key) == shown)
            #expect(
                saved.members.map(\.key).sorted() == [
                    "created", "deleted", "fields", "modified", "pluginFields", "recordChangeTag", "recordName",
                    "recordType",
                ])
        }
        let stored = try await table.store.record("a", zone: .world)
        #expect(stored.field("secret")?.string == "s" && stored.field("own")?.string == "x")
        #expect(stored["parent"] != nil && stored["shortGUID"] != nil)
    }

    @Test("A subscription notifies only users who may read the record") func subscriptions() async throws {
        let table = try await PermissionTable(Self.grants([.read]))
        let listeners: [Visitor] = [.stranger, .creator, .member]
        for (token, visitor) in listeners.enumerated() {
            let user = try #require(visitor.caller.userRecordName)
            try await table.store.listen(Int64(token), as: user)
            let names = table.grants.indices.map {
                (
                    name: "s\($0)",
                    text: querySubscription("T\($0)", more: #""notificationInfo":{"additionalFields":["secret"]}"#)
                )
            }
            _ = try await table.store.subscribe(names, user: user, in: .public)
        }
        for (index, granted) in table.grants.enumerated() {
            try await table.grantEverything(to: "T\(index)", but: granted)
            for change in [
                operation(.forceUpdate, "T\(index)-read", type: "T\(index)"),
                operation(.create, "T\(index)-new", type: "T\(index)"), operation(.forceDelete, "T\(index)-new"),
            ] {
                #expect(try await table.store.modify([change], zone: .world, caller: .alice).errors == [nil])
            }
            for (token, visitor) in listeners.enumerated() {
                let isTold = Self.expected(visitor, .lookup, granted: granted) == .done
                let news = try await table.store.news(Int64(token))
                let all = ["~T\(index)-read", "+T\(index)-new", "-T\(index)-new"].map { "s\(index)" + $0 }
                #expect(news == (isTold ? all : []), "\(visitor) \(granted)")
            }
        }
    }
}
