import CloudModel
import Disk
import Foundation
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The power goes while clients write; the server is started on what a disk may hold then.
struct PowerCutTests {
    /// POWER_CUTS plays more of them than a run of all tests has time for.
    private static let cuts = ProcessInfo.processInfo.environment["POWER_CUTS"].flatMap { Int($0) } ?? 6
    /// So often all begins with an empty folder.
    private static let cutsOfAFolder = 3
    private static let writers = 2

    @Test("Every acknowledged write survives a power cut", .timeLimit(.minutes(60)), arguments: [cuts])
    func acknowledgedWrites(cuts: Int) async throws {
        var cumulus = try CutProgram()
        var ledger = PowerLedger()
        for cut in 0..<cuts {
            if cut % Self.cutsOfAFolder == 0 { (cumulus, ledger) = (try CutProgram(), PowerLedger()) }
            let kind = PowerCut.allCases[(cut + cut / Self.cutsOfAFolder) % PowerCut.allCases.count]
            let server = try await cumulus.serve()
            let person = try await DevelopmentPerson(server)
            if cut % Self.cutsOfAFolder == 0 { try await makeZone(person) }
            try await write(cut, ledger, person, server)
            try cumulus.cut(kind)
            let again = try await cumulus.serve()
            try await ledger.check(DevelopmentPerson(again), "cut \(cut), \(kind)")
            await again.kill()
            try cumulus.folder.begin()
        }
    }

    private func makeZone(_ person: DevelopmentPerson) async throws {
        let body = #"{"operations": [{"operationType": "create", "zone": {"zoneID": {"zoneName": "Z"}}}]}"#
        #expect(try await person.send("zones/modify", body).response.statusCode == 200)
    }

    /// Everybody writes until the kill, which comes once a number of writes has been acknowledged.
    private func write(
        _ cut: Int, _ ledger: PowerLedger, _ person: DevelopmentPerson, _ server: RunningServer
    ) async throws {
        // The very first that is acknowledged is often the last.
        let wanted = ledger.count + Int.random(in: 1...(cut % 2 == 0 ? 3 : 40))
        await withDiscardingTaskGroup { group in
            for writer in 0..<Self.writers {
                group.addTask {
                    for number in 0... {
                        guard await ledger.create("n-\(cut)-\(writer)-\(number)", person) else { return }
                        if ledger.count >= wanted { await server.kill() }
                    }
                }
            }
            group.addTask {
                for number in 0... {
                    guard await ledger.upload("a-\(cut)-\(number)", person, server) else { return }
                    if ledger.count >= wanted { await server.kill() }
                }
            }
            group.addTask {
                for number in 0... {
                    guard await ledger.set("k-\(cut)-\(number)", person) else { return }
                    if ledger.count >= wanted { await server.kill() }
                }
            }
        }
    }
}

/// The writes that were acknowledged.
private final class PowerLedger: Sendable {
    private struct State {
        var records: Set<String> = []
        var assets: [String: Data] = [:]
        var keys: Set<String> = []
        /// The records that a device knows by following the zone, and the token it asks with next.
        var followed: Set<String> = []
        var token: String?
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.records.count + $0.assets.count + $0.keys.count } }

    func create(_ name: String, _ person: DevelopmentPerson) async -> Bool {
        let operation =
            #"{"operationType": "create", "record": {"recordName": "\#(name)", "recordType": "Entry", "fields": {"#
            + #""text": {"value": "\#(String(repeating: name, count: 50))"}}}}"#
        let body = #"{"operations": [\#(operation)], "zoneID": {"zoneName": "Z"}}"#
        guard let answer = try? await person.send("records/modify", body), answer.response.statusCode == 200 else {
            return false
        }
        state.withLock { _ = $0.records.insert(name) }
        return true
    }

    func upload(_ name: String, _ person: DevelopmentPerson, _ server: RunningServer) async -> Bool {
        let data = Data((0..<Int.random(in: 1...20_000)).map { _ in UInt8.random(in: 0...255) })
        guard let link = try? await person.uploadLink(), let answer = try? await server.post(link, data),
            let file = try? JSONParser.parse(Array(answer.body)).object?["singleFile"],
            (try? await person.trySaving(name, file: file)) == true
        else { return false }
        state.withLock { $0.assets[name] = data }
        return true
    }

    func set(_ key: String, _ person: DevelopmentPerson) async -> Bool {
        let body = #"{"set": {"\#(key)": {"type": "STRING", "value": "\#(key)"}}, "remove": []}"#
        let answer = try? await person.post("/keyvalue/1/c/development/modify", body)
        guard answer?.response.statusCode == 200 else { return false }
        state.withLock { _ = $0.keys.insert(key) }
        return true
    }

    /// Looks for all of it.
    func check(_ person: DevelopmentPerson, _ moment: String) async throws {
        let (records, assets, keys) = state.withLock { ($0.records, $0.assets, $0.keys) }
        try await follow(person)
        let followed = state.withLock { $0.followed }
        #expect(records.subtracting(followed).isEmpty, "\(moment): the zone's feed")
        for (name, data) in assets {
            let link = try #require(URL(string: try await person.downloadLink(name)))
            let bytes = try await URLSession.shared.data(from: link).0
            #expect(bytes == data, "\(moment): \(name) has \(bytes.count) bytes of \(data.count)")
        }
        let answer = try await person.post("/keyvalue/1/c/development/values", "{}")
        let values = try JSONParser.parse(Array(answer.body)).object?["values"]?.object
        let found = Set((values?.members ?? []).map(\.key))
        #expect(keys.subtracting(found).isEmpty, "\(moment): key-values")
    }

    /// Reads the zone's changes on from where the last reading ended, before the cut.
    private func follow(_ person: DevelopmentPerson) async throws {
        var more = true
        while more {
            let token = state.withLock { $0.token }.map { #", "syncToken": "\#($0)""# } ?? ""
            let body = #"{"zones": [{"zoneID": {"zoneName": "Z"}\#(token)}], "resultsLimit": 200}"#
            let answer = try await person.send("changes/zone", body)
            let text = String(decoding: answer.body, as: UTF8.self)
            let zone = try #require(
                try JSONParser.parse(Array(answer.body)).object?["zones"]?.array?.first?.object, "\(text)")
            let names = zone["records"]?.array?.compactMap { $0.object?["recordName"]?.string }
            let next = try #require(zone["syncToken"]?.string, "\(text)")
            state.withLock { state in
                for name in names ?? [] {
                    let isNew = state.followed.insert(name).inserted
                    #expect(isNew, "\(name) came twice")
                }
                state.token = next
            }
            more = zone["moreComing"]?.bool == true
        }
    }
}
