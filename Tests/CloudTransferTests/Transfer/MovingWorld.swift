import CloudModel
import TestStore
import Testing

@testable import CloudStore
@testable import CloudTransfer

/// Something of everything that can be in an environment.
enum MovingWorld {
    static let bob = Caller.bob
    static let work = ZoneID(name: "Café au lait", owner: "_alice")
    static let bobs = ZoneID(name: "Notes", owner: "_bob")

    static func fill(_ store: EnvironmentStore) async throws {
        for user in ["_alice", "_bob"] { try await store.users.ensure(user) }
        try await store.makeZone()
        try await store.makeZone(work)
        try await store.makeZone(bobs)
        try await store.makeZone(ZoneID(name: "gone", owner: "_alice"))
        _ = try await store.zones.modify(
            [.delete(ZoneID(name: "gone", owner: "_alice"))], by: Requester(user: "_alice"), limits: Limits())
        try await records(store)
        try await assets(store)
        try await shares(store)
        try await rest(store)
    }

    private static func records(_ store: EnvironmentStore) async throws {
        let fields = #"""
            {"text":{"value":"a \"b\" \\ é\u0000 \ud83d\ude00"},"count":{"value":3},"share":{"value":0.1},
             "whole":{"value":2.0,"type":"DOUBLE"},"when":{"value":1700000000000,"type":"TIMESTAMP"},
             "raw":{"value":"AAEC","type":"BYTES"},"secret":{"value":"hush","type":"ENCRYPTED_STRING"},
             "secretBytes":{"value":"AAEC","type":"ENCRYPTED_BYTES"},
             "place":{"value":{"latitude":48.1,"longitude":-11.5,"altitude":520,"timestamp":1}},
             "tags":{"value":["x","y","x"]},"none":{"value":[],"type":"STRING_LIST"},"unknown":{"value":[]},
             "numbers":{"value":[1,2.5]},
             "next":\#(reference("second")),"elsewhere":{"value":{"recordName":"far","action":"NONE",
                "zoneID":{"zoneName":"\#(work.name)"}},"type":"REFERENCE"},
             "keeper":\#(reference("second", "DELETE_SELF")),"strict":\#(reference("second", "VALIDATE"))}
            """#
        let made = try await store.modify([
            operation(.create, "second"), operation(.create, "dropped"),
            operation(.create, "first", fields: fields, more: #""createShortGUID":true,"# + parent("second")),
        ])
        #expect(made.errors.compactMap(\.?.reason) == [])
        _ = try await store.modify([operation(.forceDelete, "dropped")])
        _ = try await store.modify([operation(.forceUpdate, "second", fields: #"{"text":{"value":"later"}}"#)])
        for zone in [ZoneID.home, .world, work] {
            _ = try await store.modify(
                [operation(.create, "same name", fields: #"{"text":{"value":"there"}}"#)], zone: zone)
        }
        _ = try await store.modify([operation(.create, "his")], zone: bobs, caller: .bob)
        _ = try await store.modify([operation(.create, "page")], zone: .world, caller: .bob)
    }

    private static func assets(_ store: EnvironmentStore) async throws {
        for (name, text) in [("pictured", "a picture"), ("twin", "a picture"), ("empty", "")] {
            let asset = try await store.assets.upload(text)
            let made = try await store.modify([operation(.create, name, fields: assetField(asset))])
            #expect(made.errors.compactMap(\.?.reason) == [])
        }
        _ = try await store.assets.upload("claimed by nobody")
    }

    private static func shares(_ store: EnvironmentStore) async throws {
        for name in ["tree", "other tree"] { _ = try await store.modify([operation(.create, name)]) }
        _ = try await store.modify([
            operation(.create, "leaf", more: parent("tree")), operation(.create, "moved", more: parent("tree")),
        ])
        let tree = try await store.share("tree", with: ["_bob"])
        try await store.accept(tree, as: "_bob")
        try await store.share("other tree", with: ["_carol"], access: "READ_ONLY")
        _ = try await store.modify([operation(.forceUpdate, "moved", more: parent(nil))])
        let zone = try await store.share(nil, zone: work, permission: "READ_ONLY")
        try await store.accept(zone, as: "_bob")
        _ = try await store.modify([operation(.create, "his leaf", more: parent("tree"))], caller: .bob)
        var settings = PageSettings(id: tree, owner: "_alice")
        settings.language = "de"
        settings.layout = .stream
        try await store.pageSettings.save(settings)
    }

    private static func rest(_ store: EnvironmentStore) async throws {
        try await store.subscribe("all", databaseSubscription)
        try await store.subscribe("notes", zoneSubscription())
        try await store.subscribe("texts", querySubscription(filters: filter("text", #""later""#)))
        try await store.subscribe("public", querySubscription(), user: "_bob", in: .public)
        try await store.subscribe("shared", databaseSubscription, user: "_bob", in: .shared)
        _ = try await store.set(["a": "1", "b": "2"], client: "phone")
        _ = try await store.set(["c": "3"], remove: ["a"], as: "_alice")
        _ = try await store.set(["z": "his"], as: "_bob")
        try await store.listen()
    }
}
