import CPostgres
import CloudModel
import CloudSQL
import Foundation
import Synchronization

/// The hosts of a database, and which of them is used.
///
/// Each has a time of its own to answer. One that is silent, takes no writes where those are needed, or has been left
/// behind by a promotion is passed over, and sessions with it are ended.
final class PostgresHosts: Sendable {
    private struct State {
        /// The one that a session was last made with.
        var last: PostgresHost?
        /// When hosts were last found silent.
        var silences: [PostgresHost: ContinuousClock.Instant] = [:]
        /// Those among them that have not answered since.
        var silent: Set<PostgresHost> = []
        /// Those that did not let a session begin when last asked, such as one that nothing listens at.
        var refusing: Set<PostgresHost> = []
        /// All addresses that the hosts' names last led to.
        var known: Set<PostgresHost> = []
        /// The newest history that any host was found in.
        var history: PostgresHistory?
        /// The addresses that the hosts were found at last.
        var addresses: [PostgresHost: [PostgresHost]] = [:]
        var isSurveying = false
        var surveyed: ContinuousClock.Instant?
    }

    /// The time after which a silent host is asked again, and between two surveys.
    private static let pause = Duration.seconds(2)
    /// The time that name servers have to tell a host's addresses where those of before are known.
    private static let renewalTime = Duration.seconds(1)

    let hosts: [PostgresHost]
    private let url: String
    private let need: SessionNeed
    private let connectTime: Duration
    private let state = Mutex(State())
    /// Whether any host is silent.
    private let hasSilent = Atomic(false)

    /// - Parameters:
    ///   - url: as libpq takes it.
    ///   - connectTime: the time that each host has to answer who asks whether it does.
    init(_ url: String, connectTime: Duration = PostgresLimits().connectTime) {
        let parts = PostgresAddress.parts(of: url) ?? [:]
        self.url = url
        self.connectTime = connectTime
        hosts = PostgresHost.all(in: parts)
        need = SessionNeed(parts["target_session_attrs"], hosts: hosts.count) ?? .anything
    }

    /// A session with the first host that has what is needed.
    ///
    /// - Throws: why there is none: ``SQLError/Kind/readOnly`` where hosts answer and none takes writes.
    func connect(_ limits: PostgresLimits, place: PostgresServer.Place? = nil) throws(SQLError) -> PostgresHandle {
        var (found, errors) = addresses()
        found = inOrder(found)
        for host in found {
            do throws(SQLError) {
                let link = try open(host, limits, place)
                guard satisfies(link) else { throw SQLError(.readOnly, "\(host) is read-only") }
                try admit(link)
                return link
            } catch { errors.append(error) }
        }
        if errors.isEmpty { throw SQLError(.unusable, "no host has answered in time") }
        let kind: SQLError.Kind = errors.contains { $0.kind == .readOnly } ? .readOnly : .unusable
        throw SQLError(kind, errors.map(\.message).joined(separator: "; "))
    }

    /// The addresses that the hosts' names lead to; those of before where nobody tells in time.
    private func addresses() -> (found: [PostgresHost], faults: [SQLError]) {
        // All at once: each may take its whole time.
        if hosts.count > 1 { for name in hosts.compactMap(\.lookedUp) { HostLookup.begin(name) } }
        var (all, faults): ([PostgresHost], [SQLError]) = ([], [])
        for host in hosts {
            let known = state.withLock { $0.addresses[host] }
            do throws(SQLError) {
                let found = try host.addresses(within: known == nil ? connectTime : min(connectTime, Self.renewalTime))
                if host.lookedUp != nil { state.withLock { $0.addresses[host] = found } }
                all += found
            } catch {
                all += known ?? []
                if known == nil { faults.append(error) }
            }
        }
        state.withLock { state in
            state.known = Set(all)
            // Silence of an address that no name leads to any more.
            state.silences = state.silences.filter { state.known.contains($0.key) }
            state.silent.formIntersection(state.known)
            state.refusing.formIntersection(state.known)
            hasSilent.store(!state.silent.isEmpty, ordering: .relaxed)
        }
        return (all, faults)
    }

    /// The one last used first; those that were silent a moment ago are left out.
    private func inOrder(_ all: [PostgresHost]) -> [PostgresHost] {
        state.withLock { state in
            let awake = all.filter { host in
                guard state.silent.contains(host), let at = state.silences[host] else { return true }
                return at.duration(to: .now) > Self.pause
            }
            // Those that were silent come last: each takes its whole time.
            let (silent, others) = (awake.filter(state.silent.contains), awake.filter { !state.silent.contains($0) })
            let first = others.filter { $0 == state.last }
            return first + others.filter { $0 != state.last } + silent
        }
    }

    private func open(
        _ host: PostgresHost, _ limits: PostgresLimits, _ place: PostgresServer.Place?
    ) throws(SQLError) -> PostgresHandle {
        let link: PostgresHandle
        do throws(ConnectionStart.Failure) {
            link = try PostgresHandle(url: url, host: host, limits: limits, hosts: self, place: place)
        } catch {
            if error.isSilence { noteSilence(of: host) } else { state.withLock { _ = $0.refusing.insert(host) } }
            throw error.error
        }
        do throws(SQLError) { try link.findHistory() } catch {
            noteSilence(of: host)
            throw error
        }
        noteAnswer(of: host, link.history)
        return link
    }

    private func satisfies(_ link: PostgresHandle) -> Bool {
        switch need {
        case .anything: true
        case .primary: !link.isStandby
        case .writes: !link.isStandby && !link.isReadOnly
        }
    }

    private func admit(_ link: PostgresHandle) throws(SQLError) {
        let isOld = state.withLock { state in
            if let mine = link.history, let newest = state.history, mine.isBefore(newest) { return true }
            state.last = link.host
            return false
        }
        if isOld { throw SQLError(.unusable, "\(link.host) was left behind when another host was promoted") }
    }

    private func noteAnswer(of host: PostgresHost, _ history: PostgresHistory?) {
        noteWord(of: host)
        state.withLock { state in
            state.refusing.remove(host)
            guard let history else { return }
            if let newest = state.history, history.isBefore(newest) { return }
            state.history = history
        }
    }

    func noteSilence(of host: PostgresHost) {
        state.withLock { state in
            state.silences[host] = .now
            state.silent.insert(host)
            hasSilent.store(true, ordering: .relaxed)
        }
    }

    /// To be called with each answer: a host that has no time for new connections may answer those that it has.
    func noteWord(of host: PostgresHost) {
        guard hasSilent.load(ordering: .relaxed) else { return }
        state.withLock { state in
            state.silent.remove(host)
            hasSilent.store(!state.silent.isEmpty, ordering: .relaxed)
        }
    }

    // MARK: Leaving

    /// Whether a session is with a host that has fallen silent since it began while another host is known that has not,
    /// or was left behind by a promotion. A single host is waited for, since it may only be slow.
    ///
    /// - Parameter isWaiting: whether an answer is awaited that may still come in good time.
    func isLeft(_ link: PostgresHandle, isWaiting: Bool = false) -> Bool {
        state.withLock { state in
            if !isWaiting, state.silent.contains(link.host), let silence = state.silences[link.host],
                silence > link.began, !state.known.isSubset(of: state.silent.union(state.refusing))
            {
                return true
            }
            guard let mine = link.history, let newest = state.history else { return false }
            return mine.isBefore(newest)
        }
    }

    /// Has all hosts asked, on another thread, whether they answer; to be called by who waits for long.
    func surveySoon() {
        let begins = state.withLock { state in
            let isRecent = state.surveyed.map { $0.duration(to: .now) < Self.pause } ?? false
            guard !state.isSurveying, !isRecent else { return false }
            state.isSurveying = true
            return true
        }
        guard begins else { return }
        Thread.detachNewThread { [self] in
            survey()
            state.withLock { state in (state.isSurveying, state.surveyed) = (false, .now) }
        }
    }

    /// Asks all hosts at once whether they answer, and in which history they are.
    func survey() {
        var limits = PostgresLimits()
        limits.connectTime = connectTime
        limits.answerTime = connectTime
        let group = DispatchGroup()
        for host in addresses().found {
            group.enter()
            Thread.detachNewThread { [self, limits] in
                // What it finds is noted.
                try? open(host, limits, nil).close()
                group.leave()
            }
        }
        group.wait()
    }
}
