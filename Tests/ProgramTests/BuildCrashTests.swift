import CloudEngine
import CloudModel
import CloudSQL
import CloudSQLite
import Disk
import Foundation
import TestCloud
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// SIGKILL in writes of the database while a type's indexes are made anew and clients write, a few times.
@Suite(.timeLimit(.minutes(20)))
struct BuildCrashTests {
    private static let (batches, kills, writers) = (20, 3, 2)
    /// Bytes that a server writes before its kill. All servers together write less than a build does, so no build has
    /// ended at a kill, however slow the clients are.
    private static let room = 100_000..<2_500_000
    private static let schema =
        "DEFINE SCHEMA RECORD TYPE Note (text STRING QUERYABLE SEARCHABLE SORTABLE, more STRING QUERYABLE SORTABLE);"

    private let cumulus: Program
    private let log = DeliveryLog()
    private var database: String { cumulus.data + "/containers/1-development.sqlite" }

    init() throws { cumulus = try Program() }

    /// The restarted build continues, and its index agrees with the records.
    @Test("After a crash during an index build queries find every matching record") func crash() async throws {
        try await begin()
        let file = try cumulus.file("app.ckdb", Self.schema).path()
        let imported = try await cumulus("schema", "import", "c", "--file", file, "--yes")
        #expect(imported.status == 0 && imported.output.contains("- Note.gone"), "\(imported)")
        for round in 0..<Self.kills {
            let killed = try JournalLibrary.killed(at: database + "-wal", after: Int.random(in: Self.room))
            let server = try await RunningServer(cumulus, "--dev", environment: killed)
            await write(round, server)
            #expect(await server.end() == 128 + SIGKILL)
            #expect(try isBuilding())
        }
        let server = try await RunningServer(cumulus, "--dev")
        let person = try await DevelopmentPerson(server)
        #expect(try await person.create(["last"], text: "t0").response.statusCode == 200)
        try await until { try !isBuilding() }
        try await compare(person)
        #expect(await server.stop() == 0)
    }

    /// Records in groups of the same text, with a field that is to go and with one that makes the build long.
    private func begin() async throws {
        let server = try await RunningServer(cumulus, "--dev")
        let person = try await DevelopmentPerson(server)
        for batch in 0..<Self.batches {
            let more = String(repeating: "x", count: 500)
            let names = (0..<200).map { "r-\(batch)-\($0)" }
            let operations = names.map {
                #"{"operationType": "create", "record": {"recordName": "\#($0)", "recordType": "Note", "fields": "#
                    + #"{"text": {"value": "t\#(batch)"}, "gone": {"value": "x"}, "more": {"value": "\#(more)"}}}}"#
            }
            let answer = try await person.send(
                "records/modify", #"{"operations": [\#(operations.joined(separator: ","))]}"#)
            #expect(answer.response.statusCode == 200)
            for name in names { log.acknowledge(name) }
        }
        #expect(await server.stop() == 0)
    }

    /// Writes until the kill.
    private func write(_ round: Int, _ server: RunningServer) async {
        guard let person = try? await DevelopmentPerson(server) else { return }
        await withDiscardingTaskGroup { group in
            for writer in 0..<Self.writers {
                group.addTask {
                    for number in 0... {
                        let name = "n-\(round)-\(writer)-\(number)"
                        let answer = try? await person.create([name], text: "t\(number % Self.batches)")
                        guard answer?.response.statusCode == 200 else { return }
                        log.acknowledge(name)
                    }
                }
            }
        }
    }

    private func isBuilding() throws -> Bool {
        let connection = try SQLiteEngine().opener.openForReading(database)
        return try connection.read { try $0.first("SELECT record_type FROM builds") { $0.integer(0) } } != nil
    }

    private func compare(_ person: DevelopmentPerson) async throws {
        let records = try await found(person, "")
        var expected: [String: Set<String>] = [:]
        for (name, fields) in records {
            #expect(fields["gone"] == nil, "\(name)")
            let text = try #require(fields["text"]?.object?["value"]?.string)
            expected[text, default: []].insert(name)
        }
        #expect(log.acknowledged.subtracting(records.keys).isEmpty)
        for (text, names) in expected {
            for comparator in ["EQUALS", "CONTAINS_ALL_TOKENS"] {
                let filter =
                    #", "filterBy": [{"fieldName": "text", "comparator": "\#(comparator)", "fieldValue": {"value": "\#(text)"}}]"#
                #expect(Set(try await found(person, filter).keys) == names, "\(comparator) \(text)")
            }
        }
    }

    /// The fields of all records that a query finds, by their names.
    private func found(_ person: DevelopmentPerson, _ filter: String) async throws -> [String: JSONObject] {
        var found: [String: JSONObject] = [:]
        var marker = ""
        repeat {
            let body = #"{"resultsLimit": 200, "query": {"recordType": "Note"\#(filter)}\#(marker)}"#
            let answer = try JSONParser.parse(Array(try await person.send("records/query", body).body)).object
            for record in try #require(answer?["records"]?.array, "\(String(describing: answer))") {
                let record = try #require(record.object)
                let name = try #require(record["recordName"]?.string)
                #expect(found[name] == nil, "\(name) is there twice")
                found[name] = try #require(record["fields"]?.object)
            }
            marker = answer?["continuationMarker"]?.string.map { #", "continuationMarker": "\#($0)""# } ?? ""
        } while !marker.isEmpty
        return found
    }
}
