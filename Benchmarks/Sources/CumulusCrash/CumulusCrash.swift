import ArgumentParser
import Foundation
import Traffic

/// Kills the server under concurrent writes, again and again, and checks what it kept.
@main
struct CumulusCrash: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cumulus-crash", abstract: "Kills a server under load and checks what it kept.")

    @Option(help: "The server's program.")
    var server: String

    @Option(help: "An existing folder for its data and its output.")
    var data: String

    @Option(help: "The loopback port it listens on.")
    var port: Int

    @Option(help: "How often to kill it.")
    var kills = 50

    @Option(help: "The seed of every random choice; printed, so that a finding can be sought again.")
    var seed = UInt64.random(in: 1...UInt64(UInt32.max))

    @Option(help: "The shortest and longest life of the server, in milliseconds.")
    var life = "100-1200"

    func run() async throws {
        let limits = life.split(separator: "-").compactMap { Int($0) }
        guard kills > 0, limits.count == 2, limits[0] <= limits[1] else {
            throw ValidationError("--kills is at least 1 and --life is two numbers such as 100-1200")
        }
        say("seed \(seed), \(kills) kills, each after \(life) ms")
        let caller = HTTPCaller(connections: 64, timeoutSeconds: 20)
        let process = ServerProcess(
            binary: server, data: data + "/store", port: port, log: data + "/server.log", pidFile: data + "/server.pid")
        let findings = Findings()
        let start = ContinuousClock.now
        do {
            try await play(process, caller, findings, lives: limits)
        } catch {
            findings.add("the test could not go on: \(error)")
        }
        process.kill()
        try await caller.shutdown()
        try conclude(findings, after: start.duration(to: .now))
    }

    private func play(
        _ process: ServerProcess, _ caller: HTTPCaller, _ findings: Findings, lives: [Int]
    ) async throws {
        _ = try await process.start(caller)
        let session = try await CloudSession.signIn(
            "crash@example.com", to: "iCloud.org.example.crash", at: process.origin, through: caller)
        _ = try await session.ask("private/zones/modify", Bodies.createZone(World.zone), as: ZonesAnswer.self)
        let world = World(server: process, session: session, ledger: Ledger(), findings: findings, seed: seed)
        try await Rounds(world: world, caller: caller, kills: kills, shortest: lives[0], longest: lives[1]).play()
    }

    private func conclude(_ findings: Findings, after time: Duration) throws {
        let seconds = Int(time / .seconds(1))
        guard !findings.all.isEmpty else {
            say("\(kills) kills in \(seconds) s: nothing acknowledged was lost, nothing torn, nothing skipped.")
            return
        }
        say("FINDINGS (seed \(seed), data in \(data)):")
        for finding in findings.all { say("- \(finding)") }
        throw ExitCode.failure
    }
}
