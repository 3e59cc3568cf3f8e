import CPostgres
import CloudModel
import CloudSQL
import Foundation
import Synchronization

/// Knows the hosts of a database and picks a usable host.
///
/// Each host has its own time limit. Hosts that are silent, lack required write access, or were superseded by a
/// promotion are skipped, and their sessions closed.
final class PostgresHosts: Sendable {
    private struct State {
        /// The host of the last new session.
        var last: PostgresHost?
        /// The time when each host last fell silent.
        var silences: [PostgresHost: ContinuousClock.Instant] = [:]
        /// Silent hosts without an answer since.
        var silent: Set<PostgresHost> = []
        /// Hosts that refused the last session, for example because no server was listening.
        var refusing: Set<PostgresHost> = []
        /// All addresses of the hosts' names at the last lookup.
        var known: Set<PostgresHost> = []
        /// The newest history found at any host.
        var history: PostgresHistory?
        /// The addresses of each host at its last lookup.
        var addresses: [PostgresHost: [PostgresHost]] = [:]
        var isSurveying = false
        var surveyed: ContinuousClock.Instant?
    }

    /// The delay before a silent host is retried, and between surveys.
    private static let pause = Duration.seconds(2)
    /// The lookup time limit for hosts with known addresses.
    private static let renewalTime = Duration.seconds(1)

    let hosts: [PostgresHost]
    private let url: String
    private let need: SessionNeed
    private let connectTime: Duration
    private let state = Mutex(State())
    /// True if any host is silent.
    private let hasSilent = Atomic(false)

    /// - Parameters:
    ///   - url: a libpq connection URL.
    ///   - connectTime: the time limit for a host's answer in surveys.
    init(_ url: String, connectTime: Duration = PostgresLimits().connectTime) {
        let parts = PostgresAddress.parts(of: url) ?? [:]
        self.url = url
        self.connectTime = connectTime
        hosts = PostgresHost.all(in: parts)
        need = SessionNeed(parts["target_session_attrs"], hosts: hosts.count) ?? .anything
    }

    /// Opens a session with the first suitable host.
    ///
    /// - Throws: the hosts' errors; ``SQLError/Kind/readOnly`` when hosts answer but none accepts writes.
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

    /// The addresses of all host names; previous addresses where the lookup fails or times out.
    private func addresses() -> (found: [PostgresHost], faults: [SQLError]) {
        // Start all lookups together, because each may take its full time.
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
            // Forget the silence of addresses that were dropped from DNS.
            state.silences = state.silences.filter { state.known.contains($0.key) }
            state.silent.formIntersection(state.known)
            state.refusing.formIntersection(state.known)
            hasSilent.store(!state.silent.isEmpty, ordering: .relaxed)
        }
        return (all, faults)
    }

    /// Orders the last used host first, and leaves out recently silent hosts.
    private func inOrder(_ all: [PostgresHost]) -> [PostgresHost] {
        state.withLock { state in
            let awake = all.filter { host in
                guard state.silent.contains(host), let at = state.silences[host] else { return true }
                return at.duration(to: .now) > Self.pause
            }
            // Silent hosts go last, because each may take its full time.
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

    /// Called with each answer: a host too busy for new connections may still serve its open sessions.
    func noteWord(of host: PostgresHost) {
        guard hasSilent.load(ordering: .relaxed) else { return }
        state.withLock { state in
            state.silent.remove(host)
            hasSilent.store(!state.silent.isEmpty, ordering: .relaxed)
        }
    }

    // MARK: Leaving

    /// True if a session's host fell silent after the session began while another host is usable, or was superseded by
    /// a promotion. A single slow host is waited for.
    ///
    /// - Parameter isWaiting: whether an answer may still arrive in good time.
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

    /// Starts a survey of all hosts on another thread, at most every 2 s; called during long waits.
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

    /// Connects to all hosts in parallel and notes their answers and histories.
    func survey() {
        var limits = PostgresLimits()
        limits.connectTime = connectTime
        limits.answerTime = connectTime
        let group = DispatchGroup()
        for host in addresses().found {
            group.enter()
            Thread.detachNewThread { [self, limits] in
                // `open` notes the result.
                try? open(host, limits, nil).close()
                group.leave()
            }
        }
        group.wait()
    }
}
