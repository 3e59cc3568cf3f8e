import ArgumentParser
import Foundation
import Traffic

/// Reads a whole zone through changes/zone, several times, and compares the slowest page with the first.
///
/// One slow page among thousands is noise of the machine unless it is slow again: a page's time is therefore its
/// median over the walks, and the first page's that of as many requests.
struct Feed: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Times every page of a full sync in pages of 200.")

    @OptionGroup var target: Target

    @Option(help: "The custom zone to read.")
    var zone: String

    @Option(help: "How many live records it holds.")
    var expectRecords: Int

    @Option(help: "How often to read it.")
    var walks = 3

    func run() async throws {
        let caller = HTTPCaller(connections: 1)
        let session = try await CloudSession.signIn(
            target.email, to: target.container, at: target.origin, through: caller)
        var pages: [Latencies] = []
        for _ in 0..<walks { try await walk(session, timing: &pages) }
        try await caller.shutdown()
        let medians = pages.map { $0.percentile(0.5).milliseconds }
        let first = medians.first ?? 0
        let slowest = medians.max() ?? 0
        let middle = medians.sorted()[medians.count / 2]
        print("pages \(pages.count) first \(first) median \(middle) slowest \(slowest) ratio \(slowest / first)")
    }

    private func walk(_ session: CloudSession, timing pages: inout [Latencies]) async throws {
        var token: String?
        var records = 0
        var page = 0
        var more = true
        while more {
            let body = Bodies.changes(zone: zone, after: token)
            let start = ContinuousClock.now
            let answer = try await session.send("private/changes/zone", body)
            let time = start.duration(to: .now)
            if page == pages.count { pages.append(Latencies()) }
            pages[page].add(time)
            let zone = try CloudSession.decode(ChangesAnswer.self, from: answer).zones.first
            records += zone?.records?.count ?? 0
            token = zone?.syncToken
            more = zone?.moreComing ?? false
            page += 1
        }
        guard records == expectRecords else {
            throw ValidationError("the feed held \(records) records instead of \(expectRecords)")
        }
    }
}
