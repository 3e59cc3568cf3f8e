import Synchronization
import Traffic

/// A device that follows the zone all the time, keeping its token over every kill.
final class FeedReader: Sendable {
    private static let pastKept = 6

    private let state = Mutex(FeedState())
    private let past = Mutex<[FeedState]>([])

    var current: FeedState { state.withLock { $0 } }

    /// Follows until the end of the round is decided.
    func follow(_ world: World) async {
        while !world.server.isEnding {
            do {
                _ = try await readPage(world)
            } catch {
                world.report("the feed gave no page although the server was up: \(error)")
                guard world.server.isTroubled else { return }
                await world.pauseInTrouble()
            }
        }
    }

    /// Reads on until nothing more is to come.
    func catchUp(_ world: World) async throws {
        while try await readPage(world) {}
    }

    /// Keeps what is known now, to go on from it once more in a later round.
    func remember(_ round: Int) {
        let now = current
        past.withLock { past in
            if past.count < Self.pastKept { past.append(now) } else { past[round % Self.pastKept] = now }
        }
    }

    /// Some state of an earlier round.
    func earlier(using random: inout SeededRandom) -> FeedState? {
        let states = past.withLock { $0 }
        return states.randomElement(using: &random)
    }

    private func readPage(_ world: World) async throws -> Bool {
        let page = try await Self.page(after: current.token, world.session)
        let findings = state.withLock { $0.apply(page) }
        for finding in findings { world.findings.add(finding) }
        return page.moreComing ?? false
    }

    /// Everything after `start`, on top of it.
    static func sync(from start: FeedState, _ session: CloudSession) async throws -> (
        state: FeedState, findings: [String]
    ) {
        var state = start
        var findings: [String] = []
        var more = true
        while more {
            let page = try await page(after: state.token, session)
            findings += state.apply(page)
            more = page.moreComing ?? false
        }
        return (state, findings)
    }

    private static func page(after token: String?, _ session: CloudSession) async throws -> ChangesAnswer.Zone {
        let body = Bodies.changes(zone: World.zone, after: token)
        let answer = try await session.ask("private/changes/zone", body, as: ChangesAnswer.self)
        guard let zone = answer.zones.first, zone.serverErrorCode == nil, zone.syncToken != nil else {
            let zone = answer.zones.first
            throw CloudSession.Refused(status: 200, text: "\(zone?.serverErrorCode ?? "no zone") \(zone?.reason ?? "")")
        }
        return zone
    }
}
