import CloudModel
import Foundation
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// SIGKILL between a change and its delivery, again and again (issue 4, "Faults").
@Suite(.timeLimit(.minutes(20)))
struct NotificationCrashTests {
    private static let kills = 50
    private static let writers = 2

    private let cumulus: Program
    private let log = DeliveryLog()

    init() throws {
        cumulus = try Program()
    }

    /// Every acknowledged change is told of, none that is not there, and one twice only if the kill fell between its
    /// way to the listener and the note of that.
    @Test("A client that reconnects after a crash gets every notification") func crashes() async throws {
        var path = ""
        for round in 0..<Self.kills {
            let server = try await RunningServer(cumulus, "--dev")
            let person = try await DevelopmentPerson(server)
            if round == 0 { path = try await subscribe(person) }
            try await catchUp("marker-\(round)", person, server, path)
            await play(round, person, server, path)
        }
        let server = try await RunningServer(cumulus, "--dev")
        let person = try await DevelopmentPerson(server)
        try await catchUp("marker-\(Self.kills)", person, server, path)
        let heard = log.heard
        #expect(log.acknowledged.subtracting(heard.map(\.name)).isEmpty)
        let there = Set(try await person.found(Array(Set(heard.map(\.name)))))
        #expect(Set(heard.map(\.name)).subtracting(there).isEmpty)
        #expect(log.acknowledged.count >= Self.kills * Self.writers)
        checkRepetitions(heard)
        #expect(await server.stop() == 0)
    }

    private func subscribe(_ person: DevelopmentPerson) async throws -> String {
        try await person.subscribe()
        return try await person.courierPath()
    }

    /// Messages come in order: with the marker's, all that came before have been read.
    private func catchUp(
        _ marker: String, _ person: DevelopmentPerson, _ server: RunningServer, _ path: String
    ) async throws {
        #expect(try await person.create([marker], text: "x").response.statusCode == 200)
        while let name = try await log.listen(server, path), name != marker {}
    }

    /// Writes and listens until the kill, which comes once a random number of changes has been acknowledged.
    private func play(_ round: Int, _ person: DevelopmentPerson, _ server: RunningServer, _ path: String) async {
        let before = log.acknowledged.count
        let wanted = before + Int.random(in: 1...12)
        // Now and then nobody listens, so that all is left for the next round.
        let listens = round % 4 != 3
        await withDiscardingTaskGroup { group in
            for writer in 0..<Self.writers {
                group.addTask {
                    for number in 0... {
                        guard await write("n-\(round)-\(writer)-\(number)", person) else { return }
                        if log.acknowledged.count >= wanted { await server.kill() }
                    }
                }
            }
            if listens { group.addTask { while (try? await log.listen(server, path)) != nil {} } }
        }
        log.endRound()
    }

    private func write(_ name: String, _ person: DevelopmentPerson) async -> Bool {
        guard let answer = try? await person.create([name], text: "x"), answer.response.statusCode == 200 else {
            return false
        }
        log.acknowledge(name)
        return true
    }

    private func checkRepetitions(_ heard: [DeliveryLog.Heard]) {
        for (name, times) in Dictionary(grouping: heard.indices, by: { heard[$0].name }) where times.count > 1 {
            #expect(times.count == 2, "\(name)")
            #expect(times[1] == times[0] + 1 && heard[times[0]].isLast, "\(name) came again, and not at once")
        }
    }
}

/// A log of acknowledged writes and of received notifications.
final class DeliveryLog: Sendable {
    struct Heard: Sendable {
        let name: String
        /// True if the server was killed before anything else came.
        var isLast = false
    }

    private struct State {
        var acknowledged: Set<String> = []
        var heard: [Heard] = []
    }

    private let state = Mutex(State())

    var acknowledged: Set<String> { state.withLock { $0.acknowledged } }
    var heard: [Heard] { state.withLock { $0.heard } }

    func acknowledge(_ name: String) { state.withLock { _ = $0.acknowledged.insert(name) } }

    func endRound() {
        state.withLock { state in
            if !state.heard.isEmpty { state.heard[state.heard.count - 1].isLast = true }
        }
    }

    /// Polls until a message comes.
    ///
    /// - Returns: the record it tells of.
    func listen(_ server: RunningServer, _ path: String) async throws -> String? {
        while true {
            let answer = try await server.get(path)
            if answer.body.isEmpty, answer.response.statusCode == 200 { continue }
            let message = try JSONParser.parse(Array(answer.body))
            guard let name = message.object?["ck"]?.object?["qry"]?.object?["rid"]?.string else { return nil }
            state.withLock { $0.heard.append(Heard(name: name)) }
            return name
        }
    }
}
