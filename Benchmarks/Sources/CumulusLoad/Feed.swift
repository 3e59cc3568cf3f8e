import ArgumentParser
import Foundation
import Traffic

/// Reads a whole zone through changes/zone and compares the slowest page with the first.
///
/// Among thousands of pages some meet a busy moment of the machine. A page that is slow by itself is slow whenever it
/// is asked for: the slowest of the walk, and the first, are asked for again and count with their medians.
struct Feed: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Times every page of a full sync in pages of 200.")
    private static let suspects = 20
    private static let repetitions = 15

    private struct Page {
        let token: String?
        let time: Duration
    }

    @OptionGroup var target: Target

    @Option(help: "The custom zone to read.")
    var zone: String

    @Option(help: "Whose zone it is, to read it through the shared database.")
    var owner: String?

    @Option(help: "How many live records it holds.")
    var expectRecords: Int

    func run() async throws {
        let caller = HTTPCaller(connections: 1)
        let session = try await CloudSession.signIn(
            target.email, to: target.container, at: target.origin, through: caller)
        let pages = try await walk(session)
        let first = try await median(of: pages[0], session)
        var slowest = first
        for page in pages.sorted(by: { $0.time > $1.time }).prefix(Self.suspects) {
            slowest = max(slowest, try await median(of: page, session))
        }
        try await caller.shutdown()
        let middle = pages.map(\.time).sorted()[pages.count / 2].milliseconds
        let ratio = slowest.milliseconds / first.milliseconds
        print(
            "pages \(pages.count) first \(first.milliseconds) median \(middle) slowest \(slowest.milliseconds) ratio \(ratio)"
        )
    }

    private func walk(_ session: CloudSession) async throws -> [Page] {
        var pages: [Page] = []
        var token: String?
        var records = 0
        var more = true
        while more {
            let (time, zone) = try await read(after: token, session)
            pages.append(Page(token: token, time: time))
            records += zone.records?.count ?? 0
            token = zone.syncToken
            more = zone.moreComing ?? false
        }
        guard records == expectRecords else {
            throw ValidationError("the feed held \(records) records instead of \(expectRecords)")
        }
        return pages
    }

    private func median(of page: Page, _ session: CloudSession) async throws -> Duration {
        var latencies = Latencies()
        for _ in 0..<Self.repetitions { latencies.add(try await read(after: page.token, session).time) }
        return latencies.percentile(0.5)
    }

    /// One page; the time is that of the request, without the reading of its JSON.
    private func read(
        after token: String?, _ session: CloudSession
    ) async throws -> (time: Duration, zone: ChangesAnswer.Zone) {
        let body = Bodies.changes(zone: zone, owner: owner, after: token)
        let start = ContinuousClock.now
        let answer = try await session.send("\(owner == nil ? "private" : "shared")/changes/zone", body)
        let time = start.duration(to: .now)
        guard let zone = try CloudSession.decode(ChangesAnswer.self, from: answer).zones.first else {
            throw CloudSession.Refused(status: answer.status, text: "an answer without zones")
        }
        return (time, zone)
    }
}
