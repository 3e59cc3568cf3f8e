import CloudHTTP
import CloudModel
import CloudStore
package import Logging
import ServiceLifecycle
import Synchronization

/// Tells visitors that a page they have open may have changed.
///
/// The position of a page's zone is read once in each interval for all its visitors on this server, so that changes made at
/// other servers are told too.
package final class PageWatch: Sendable {
    /// A zone whose position tells of changes.
    struct Place: Hashable, Sendable {
        let container: String
        let environment: ContainerEnvironment
        /// A share's handle; nil for the public database.
        let handle: String?

        /// A place that never changes.
        static let nowhere = Place(container: "", environment: .development, handle: nil)
    }

    /// The reason why a visitor's wait has ended.
    enum Ending: Sendable {
        case changed, deadline
        /// The visitor is gone, or the server stops.
        case over
    }

    typealias PositionReader = @Sendable () async throws -> PagePosition?

    private struct Wait {
        let place: Place
        let known: PagePosition?
        let deadline: ContinuousClock.Instant
        let read: PositionReader
        let continuation: CheckedContinuation<Ending, Never>
    }

    private struct State {
        var lastNumber: UInt64 = 0
        /// The addresses of open seats by their numbers.
        var seats: [UInt64: String] = [:]
        var counts: [String: Int] = [:]
        var gone: Set<UInt64> = []
        var waits: [UInt64: Wait] = [:]
        var isStopping = false
    }

    private let state = Mutex(State())
    private let limits: PageWatchLimits

    package init(_ limits: PageWatchLimits) { self.limits = limits }

    /// The number of visitors with an open stream.
    package var count: Int { state.withLock { $0.seats.count } }

    /// A seat for a visitor's stream.
    ///
    /// - Throws: `THROTTLED` with the limit of the server or the address.
    func seat(for address: String) throws -> PageWatchSeat {
        let number = try state.withLock { state throws(ServerError) -> UInt64 in
            guard !state.isStopping, state.seats.count < limits.streams else {
                throw ServerError(
                    .throttled, "too many visitors wait for news of pages",
                    .limit(limits.streams, "pages.newsStreams"), retryAfter: 60)
            }
            guard state.counts[address, default: 0] < limits.perAddress else {
                throw ServerError(
                    .throttled, "too many open pages of this address wait for news",
                    .limit(limits.perAddress, "pages.newsPerAddress"), retryAfter: 60)
            }
            state.lastNumber += 1
            state.seats[state.lastNumber] = address
            state.counts[address, default: 0] += 1
            return state.lastNumber
        }
        return PageWatchSeat(news: self, number: number)
    }

    /// Ends all waits and refuses further seats.
    package func shutDown() {
        let waits = state.withLock { state in
            state.isStopping = true
            defer { state.waits = [:] }
            return state.waits.values.map(\.continuation)
        }
        for continuation in waits { continuation.resume(returning: .over) }
    }

    // MARK: Seats

    fileprivate func wait(
        _ number: UInt64, _ place: Place, known: PagePosition?, within time: Duration, _ read: @escaping PositionReader
    ) async -> Ending {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                guard !state.isStopping, state.seats[number] != nil, !state.gone.contains(number) else { return true }
                state.waits[number] = Wait(
                    place: place, known: known, deadline: .now + time, read: read, continuation: continuation)
                return false
            }
            if isOver { continuation.resume(returning: .over) }
        }
    }

    fileprivate func hangUp(_ number: UInt64) {
        let wait = state.withLock { state -> Wait? in
            guard state.seats[number] != nil else { return nil }
            state.gone.insert(number)
            return state.waits.removeValue(forKey: number)
        }
        wait?.continuation.resume(returning: .over)
    }

    fileprivate func leave(_ number: UInt64) {
        let wait = state.withLock { state -> Wait? in
            guard let address = state.seats.removeValue(forKey: number) else { return nil }
            state.gone.remove(number)
            state.counts[address]? -= 1
            if state.counts[address] == 0 { state.counts[address] = nil }
            return state.waits.removeValue(forKey: number)
        }
        wait?.continuation.resume(returning: .over)
    }

    // MARK: Looking

    /// Reads the position of each place with a waiting visitor, and ends the waits whose place has moved or whose time is up.
    ///
    /// - Throws: the last error of reading; other places are still read.
    func look() async throws {
        var readers: [Place: PositionReader] = [:]
        for wait in state.withLock({ Array($0.waits.values) }) { readers[wait.place] = wait.read }
        var failure: (any Error)?
        var positions: [Place: PagePosition?] = [:]
        for (place, read) in readers {
            do { positions[place] = .some(try await read()) } catch { failure = error }
        }
        endWaits(positions)
        if let failure { throw failure }
    }

    private func endWaits(_ positions: [Place: PagePosition?]) {
        let now = ContinuousClock.now
        let ended = state.withLock { state in
            var ended: [(CheckedContinuation<Ending, Never>, Ending)] = []
            for (number, wait) in state.waits {
                let hasMoved = positions[wait.place].map { $0 != wait.known } ?? false
                guard hasMoved || wait.deadline <= now else { continue }
                ended.append((wait.continuation, hasMoved ? .changed : .deadline))
                state.waits[number] = nil
            }
            return ended
        }
        for (continuation, ending) in ended { continuation.resume(returning: ending) }
    }
}

/// One visitor's stream, from ``PageWatch/seat(for:)`` until it is released.
final class PageWatchSeat: Sendable {
    private let news: PageWatch
    private let number: UInt64

    fileprivate init(news: PageWatch, number: UInt64) {
        self.news = news
        self.number = number
    }

    deinit { news.leave(number) }

    /// Waits until the place has another position than the known one.
    ///
    /// - Parameter time: the longest wait, to the next look.
    func wait(
        for place: PageWatch.Place, after known: PagePosition?, within time: Duration,
        _ read: @escaping PageWatch.PositionReader
    ) async -> PageWatch.Ending {
        await news.wait(number, place, known: known, within: time, read)
    }

    /// Ends the current wait and all later waits.
    func hangUp() { news.hangUp(number) }
}

/// Bounds of open streams of news.
package struct PageWatchLimits: Hashable, Sendable {
    /// On this server.
    package var streams = 1000
    /// From one client address, or one IPv6 network.
    package var perAddress = 20
    /// The pause between two readings of positions.
    package var interval = Duration.seconds(2)
    /// The longest silence of a stream; access to the page is checked again after it.
    package var heartbeat = Duration.seconds(15)

    package init() {}
}

/// Looks for news while the server runs.
package struct PageWatchService: Service {
    private let news: PageWatch
    private let interval: Duration
    private let logger: Logger

    package init(_ news: PageWatch, interval: Duration, logger: Logger) {
        (self.news, self.interval, self.logger) = (news, interval, logger)
    }

    package func run() async throws {
        let job = PeriodicJob(every: interval, failure: "pages could not be looked at for news", logger: logger)
        await cancelWhenGracefulShutdown { await job.run { try await news.look() } }
    }
}
