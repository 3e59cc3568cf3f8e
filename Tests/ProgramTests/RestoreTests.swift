import CloudModel
import Foundation
import Testing

/// A data folder copied back by hand, while clients hold tags and tokens of the time that is lost.
struct RestoreTests {
    private let cumulus: Program
    private var data: URL { URL(filePath: cumulus.data) }
    private var copy: URL { cumulus.folder.appending(path: "copy") }

    init() throws { cumulus = try Program() }

    private func start() async throws -> (server: RunningServer, person: DevelopmentPerson) {
        let server = try await RunningServer(cumulus, "--dev")
        return (server, try await DevelopmentPerson(server))
    }

    @Test("No tag or token of the lost time is accepted after a restore by hand", .timeLimit(.minutes(20)))
    func copiedBack() async throws {
        var (server, mei) = try await start()
        try await mei.makeZone()
        _ = try await mei.write("a", by: "phone")
        #expect(await server.stop() == 0)
        try FileManager.default.copyItem(at: data, to: copy)

        (server, mei) = try await start()
        let phone = try await mei.write("a", by: "phone")
        let (zone, database) = try await (mei.zoneToken(), mei.databaseToken())
        // Killed and started again, the server still takes what it gave out.
        await server.kill()
        (server, mei) = try await start()
        #expect(try await mei.changes(since: zone)["records"]?.array?.isEmpty == true)
        let saved = try await mei.write("a", by: "phone", tag: phone.string("recordChangeTag"))
        #expect(saved["recordChangeTag"] != nil)
        let later = try await mei.zoneToken()
        #expect(await server.stop() == 0)

        try FileManager.default.removeItem(at: data)
        try FileManager.default.moveItem(at: copy, to: data)
        (server, mei) = try await start()
        for round in 0..<6 {
            let tablet = try await mei.write("a", by: "tablet \(round)")
            #expect(tablet["recordChangeTag"] != nil)
            for tag in [phone, saved].map({ $0.string("recordChangeTag") }) {
                #expect(tag != tablet.string("recordChangeTag"))
                #expect(try await mei.write("a", by: "phone", tag: tag).string("serverErrorCode") == "CONFLICT")
            }
            for token in [zone, later] {
                let refused = try await mei.changes(since: token)
                #expect(refused.string("serverErrorCode") == "BAD_REQUEST")
                #expect(refused.string("reason").hasPrefix("Unknown sync continuation type"))
                #expect(refused["restoredTo"]?.integer != nil)
            }
            let refused = try await mei.answer("changes/database", #"{"syncToken": "\#(database)"}"#)
            #expect(refused.string("serverErrorCode") == "BAD_REQUEST" && refused["restoredTo"]?.integer != nil)
        }
        let found = try await mei.answer(
            "records/lookup", #"{"zoneID": {"zoneName": "Z"}, "records": [{"recordName": "a"}]}"#)
        #expect(found["records"]?.array?.first?.object?.field("by") == "tablet 5")
        #expect(await server.stop() == 0)
    }
}

extension DevelopmentPerson {
    fileprivate func answer(_ action: String, _ body: String) async throws -> JSONObject {
        try #require(try JSONParser.parse(Array(try await send(action, body).body)).object)
    }

    fileprivate func makeZone() async throws {
        _ = try await answer(
            "zones/modify", #"{"operations": [{"operationType": "create", "zone": {"zoneID": {"zoneName": "Z"}}}]}"#)
    }

    /// Writes a record in the zone, by force without a tag.
    fileprivate func write(_ name: String, by device: String, tag: String? = nil) async throws -> JSONObject {
        let kind = tag == nil ? "forceUpdate" : "update"
        let tag = tag.map { #", "recordChangeTag": "\#($0)""# } ?? ""
        let record =
            #"{"recordName": "\#(name)", "recordType": "Note"\#(tag), "fields": {"by": {"value": "\#(device)"}}}"#
        let answer = try await answer(
            "records/modify",
            #"""
            {"zoneID": {"zoneName": "Z"}, "atomic": false,
             "operations": [{"operationType": "\#(kind)", "record": \#(record)}]}
            """#)
        return try #require(answer["records"]?.array?.first?.object)
    }

    fileprivate func changes(since token: String? = nil) async throws -> JSONObject {
        let token = token.map { #", "syncToken": "\#($0)""# } ?? ""
        let answer = try await answer("changes/zone", #"{"zones": [{"zoneID": {"zoneName": "Z"}\#(token)}]}"#)
        return try #require(answer["zones"]?.array?.first?.object)
    }

    fileprivate func zoneToken() async throws -> String { try await changes().string("syncToken") }

    fileprivate func databaseToken() async throws -> String {
        try await answer("changes/database", "{}").string("syncToken")
    }
}

extension JSONObject {
    fileprivate func string(_ key: String) -> String { self[key]?.string ?? "" }

    fileprivate func field(_ name: String) -> String? {
        self["fields"]?.object?[name]?.object?["value"]?.string
    }
}
