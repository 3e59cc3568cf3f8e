import CumulusKit

/// The server hangs up and asks for time, as on a bad day; the client comes through.
struct MeetFaults {
    private static let path = "/emulator/1/faults"

    let app: CKContainer
    let stage: Stage

    func play() async throws {
        let database = app.with { $0.retries = CKRetryPolicy(firstPause: .milliseconds(100)) }.privateCloudDatabase
        try await database.makeEmpty(Shopping.zone)
        do {
            stage.want("The connection breaks after the server has saved, and before it says so.")
            try await add(["hangUp": "after"])
            try await stage.succeed("the client asks again, and knows its own work") {
                try await database.save(CKRecord(Shopping.type, "milk", in: Shopping.zone, ["amount": 2]))
            }
            try stage.check("the record is there once", try await names(database), is: ["milk"])

            stage.want("The server has too much to do, and wants to be left alone for a second.")
            try await add(["error": "THROTTLED", "retryAfter": 1])
            let start = ContinuousClock.now
            try await stage.succeed("the client comes back") {
                try await database.save(CKRecord(Shopping.type, "bread", in: Shopping.zone, ["amount": 1]))
            }
            try stage.check("no sooner than it may", start.duration(to: .now) >= .seconds(1), is: true)
            try stage.check("that record is there once, too", try await names(database), is: ["bread", "milk"])
        } catch {
            _ = try? await stage.server.ask("DELETE", Self.path)
            throw error
        }
        try await removeAll()
    }

    /// Lets the next save in this container meet a fault, and no other app's.
    private func add(_ fault: [String: JSON]) async throws {
        let whose: [String: JSON] = [
            "container": .string(app.configuration.identifier), "route": "records/modify", "nth": 1,
        ]
        let answer = try await stage.server.ask("POST", Self.path, .object(fault.merging(whose) { $1 }))
        try stage.check("the next save meets that", answer["id"] != nil, is: true)
    }

    private func removeAll() async throws {
        stage.want("That was enough.")
        let met = try await stage.server.ask("GET", Self.path)["faults"]?.array?.filter {
            $0["container"]?.string == app.configuration.identifier
        }
        try stage.check("each fault was met once", met?.map { $0["decided"] }, is: [1, 1])
        let left = try await stage.server.ask("DELETE", Self.path)
        try stage.check("and both are gone", left["faults"], is: [])
    }

    private func names(_ database: CKDatabase) async throws -> [String] {
        try await database.find(Shopping.type, in: Shopping.zone).records.map(\.name).sorted()
    }
}
