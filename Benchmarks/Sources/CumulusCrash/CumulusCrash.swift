import ArgumentParser
import Disk
import Foundation
import Traffic

/// Kills the server under concurrent writes and cuts its power, again and again, and checks what it kept.
@main
struct CumulusCrash: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cumulus-crash", abstract: "Kills a server under load, or cuts its power, and checks what it kept."
    )

    /// So often the power is cut before all begins with an empty folder.
    private static let cutsOfAFolder = 10

    @Option(help: "The server's program.")
    var server: String

    @Option(help: "An existing folder for its data and its output.")
    var data: String

    @Option(help: "The loopback port it listens on.")
    var port: Int

    @Option(help: "How often to kill it.")
    var kills = 50

    @Option(help: "How often to cut its power: what was not synced is dropped, reordered or torn.")
    var cuts = 50

    @Option(help: "How often to fail the primary of its PostgreSQL and promote the standby.")
    var failovers = 0

    @Option(help: "The folder of that primary and its standby, and the program that makes them fail.")
    var failover: [String] = []

    @Option(help: "The seed of every random choice; printed, so that a finding can be sought again.")
    var seed = UInt64.random(in: 1...UInt64(UInt32.max))

    @Option(help: "The shortest and longest life of the server, in milliseconds.")
    var life = "100-1200"

    func run() async throws {
        let limits = life.split(separator: "-").compactMap { Int($0) }
        guard min(kills, cuts, failovers) >= 0, kills + cuts + failovers > 0, limits.count == 2, limits[0] <= limits[1]
        else {
            throw ValidationError(
                "--kills, --cuts or --failovers is at least 1 and --life is two numbers such as 100-1200")
        }
        guard failovers == 0 || failover.count == 2 else {
            throw ValidationError("--failover is given twice: the folder, and the program")
        }
        say("seed \(seed), \(events), each after \(life) ms")
        let caller = HTTPCaller(connections: 64, timeoutSeconds: 20)
        let findings = Findings()
        let start = ContinuousClock.now
        if kills > 0 {
            await play(.kills, rounds: 1...kills, on: data + "/store", caller, findings, lives: limits)
        }
        if failovers > 0 {
            let pair = Failover(folder: failover[0], program: failover[1])
            await play(
                .failovers(pair), rounds: 1...failovers, on: data + "/failovers", caller, findings, lives: limits)
        }
        for first in stride(from: 1, through: cuts, by: Self.cutsOfAFolder) where findings.all.isEmpty {
            let place = "\(data)/cuts-\(first)"
            do {
                try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
                let folder = try CutFolder(in: place)
                let rounds = first...min(first + Self.cutsOfAFolder - 1, cuts)
                await play(.powerCuts(folder), rounds: rounds, on: folder.path, caller, findings, lives: limits)
                if findings.all.isEmpty { try FileManager.default.removeItem(atPath: place) }
            } catch { findings.add("the test could not go on: \(error)") }
        }
        try await caller.shutdown()
        try conclude(findings, after: start.duration(to: .now))
    }

    private func play(
        _ ending: Ending, rounds: ClosedRange<Int>, on folder: String, _ caller: HTTPCaller, _ findings: Findings,
        lives: [Int]
    ) async {
        let process = ServerProcess(
            binary: server, data: folder + "/data", port: port, log: data + "/server.log", pidFile: data + "/server.pid"
        )
        do {
            try await play(ending, rounds: rounds, process, caller, findings, lives: lives)
        } catch {
            findings.add("the test could not go on: \(error)")
        }
        process.kill()
    }

    private func play(
        _ ending: Ending, rounds: ClosedRange<Int>, _ process: ServerProcess, _ caller: HTTPCaller,
        _ findings: Findings, lives: [Int]
    ) async throws {
        _ = try await process.start(caller, environment: ending.environment())
        let session = try await CloudSession.signIn(
            "crash@example.com", to: "iCloud.org.example.crash", at: process.origin, through: caller)
        _ = try await session.ask("private/zones/modify", Bodies.createZone(World.zone), as: ZonesAnswer.self)
        let world = World(server: process, session: session, ledger: Ledger(), findings: findings, seed: seed)
        try await Rounds(
            world: world, caller: caller, ending: ending, rounds: rounds, shortest: lives[0], longest: lives[1]
        ).play()
    }

    private var events: String { "\(kills) kills, \(failovers) failovers and \(cuts) power cuts" }

    private func conclude(_ findings: Findings, after time: Duration) throws {
        let seconds = Int(time / .seconds(1))
        guard !findings.all.isEmpty else {
            say(
                "\(events) in \(seconds) s: nothing acknowledged was lost, nothing torn, nothing skipped."
            )
            return
        }
        say("FINDINGS (seed \(seed), data in \(data)):")
        for finding in findings.all { say("- \(finding)") }
        throw ExitCode.failure
    }
}
