import NIOCore
import NIOPosix
import Synchronization

/// Wakes listeners that wait for messages. The hub keeps tokens, never payloads: a woken listener asks the stores, unless the
/// message is handed over at once.
///
/// Each token has a single listener. A newer listener takes over once the earlier has left, so that no message is in two
/// hands; of several newer listeners, only the last stays.
package final class NotificationHub: Sendable {
    /// All state under one lock. Continuations are taken out under the lock and resumed after it.
    private let state = Mutex(State())
    private let timer: any EventLoop = MultiThreadedEventLoopGroup.singleton.any()

    typealias Waiting = @Sendable (WaitEnding) -> Void
    fileprivate typealias Coming = CheckedContinuation<Bool, Never>

    fileprivate struct State {
        var seats: [Int64: Seat] = [:]
        var deadlines = NotificationDeadlines()
        var lastNumber: Int64 = 0
        var isStopping = false
    }

    /// A class, since thousands of seats come and go at once and the table of seats is moved.
    fileprivate final class Seat {
        let holder: Int64
        /// True if a message came since the holder last asked.
        var isWoken = false
        var hasHungUp = false
        /// The holder's current wait and its number. With an event loop, the wait ends on that loop.
        var wait: (end: Waiting, number: Int64, loop: (any EventLoop)?)?
        /// The listener that takes over once the holder has left.
        var successor: (continuation: Coming, number: Int64)?

        init(holder: Int64) { self.holder = holder }
    }

    package init() {}

    /// The number of tokens with a listener.
    package var count: Int { state.withLock { $0.seats.count } }
    var tokens: Set<Int64> { state.withLock { Set($0.seats.keys) } }

    /// The tokens with a waiting poll.
    func polled(_ tokens: [Int64]) -> Set<Int64> {
        state.withLock { state in Set(tokens.filter { state.seats[$0]?.wait?.loop != nil }) }
    }

    /// Wakes the listeners of tokens with new messages.
    ///
    /// - Parameter messages: single queued messages, by token. Only a waiting listener gets its message from here.
    package func wake(_ tokens: Set<Int64>, handing messages: [Int64: HandedMessage] = [:]) {
        let crowds = state.withLock { state in
            var crowds: [(loop: (any EventLoop)?, wakings: [Waking])] = []
            for token in tokens {
                guard let seat = state.seats[token] else { continue }
                guard let wait = seat.wait.take() else {
                    seat.isWoken = true
                    continue
                }
                // A linear search is fine: there are a few loops.
                let index = crowds.firstIndex { $0.loop === wait.loop } ?? crowds.count
                if index == crowds.count { crowds.append((wait.loop, [])) }
                crowds[index].wakings.append(Waking(end: wait.end, message: messages[token]))
            }
            return crowds
        }
        for (loop, wakings) in crowds {
            if let loop { Waking.run(wakings[...], on: loop) } else { for waking in wakings { waking.run() } }
        }
    }

    /// Wakes every listener to check for messages.
    package func wakeAll() { wake(tokens) }

    /// Ends all waits and refuses new listeners.
    package func shutDown() {
        let (waiting, coming) = state.withLock { state in
            state.isStopping = true
            let tokens = Array(state.seats.keys)
            return (
                tokens.compactMap { state.seats[$0]?.wait.take()?.end },
                tokens.compactMap { state.seats[$0]?.successor.take()?.continuation }
            )
        }
        for end in waiting { end(.stopping) }
        for continuation in coming { continuation.resume(returning: false) }
    }

    /// Becomes the listener of a token, replacing an earlier listener. A message from now on ends the listener's next wait.
    ///
    /// - Parameter waiting: called before the wait for the earlier listener to leave.
    /// - Returns: the listener, which its owner has to leave; nil if a newer listener came meanwhile, or the server stops.
    package func listen(to token: Int64, before waiting: () -> Void = {}) async -> NotificationListener? {
        let number = state.withLock { $0.nextNumber() }
        let isLetIn = await withCheckedContinuation { continuation in
            let (answer, released, replaced) = state.withLock { state -> (Bool?, Waiting?, Coming?) in
                if state.isStopping { return (false, nil, nil) }
                guard state.seats[token] != nil else {
                    state.seats[token] = Seat(holder: number)
                    return (true, nil, nil)
                }
                let earlier = state.seats[token]?.successor
                state.seats[token]?.successor = (continuation, number)
                return (nil, state.seats[token]?.wait.take()?.end, earlier?.continuation)
            }
            replaced?.resume(returning: false)
            released?(.replaced)
            if let answer { continuation.resume(returning: answer) } else { waiting() }
        }
        return isLetIn ? NotificationListener(hub: self, token: token, number: number) : nil
    }
}

// MARK: What a listener does

extension NotificationHub {
    func wait(_ listener: NotificationListener, within time: TimeAmount) async -> WaitEnding {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                wait(listener, until: .now() + time) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            hangUp(listener)
        }
    }

    func wait(
        _ listener: NotificationListener, until deadline: NIODeadline, on loop: (any EventLoop)? = nil,
        _ end: @escaping Waiting
    ) {
        let (ending, isFirst) = state.withLock { state -> (WaitEnding?, Bool) in
            if let ending = state.ending(for: listener) { return (ending, false) }
            let number = state.nextNumber()
            state.seats[listener.token]?.wait = (end, number, loop)
            return (nil, state.add(deadline, token: listener.token, wait: number))
        }
        if let ending { end(ending) }
        if isFirst { timer.scheduleTask(deadline: deadline) { self.endOverdue() } }
    }

    func isReleased(_ listener: NotificationListener) -> Bool {
        state.withLock { state in
            guard let seat = state.seats[listener.token], seat.holder == listener.number else { return true }
            return state.isStopping || seat.successor != nil || seat.hasHungUp
        }
    }

    func hangUp(_ listener: NotificationListener) {
        let end = state.withLock { state -> Waiting? in
            guard state.seats[listener.token]?.holder == listener.number else { return nil }
            state.seats[listener.token]?.hasHungUp = true
            return state.seats[listener.token]?.wait.take()?.end
        }
        end?(.hungUp)
    }

    func leave(_ token: Int64, _ number: Int64) {
        let next = state.withLock { state -> Coming? in
            guard state.seats[token]?.holder == number else { return nil }
            let successor = state.seats[token]?.successor
            state.seats[token] = successor.map { Seat(holder: $0.number) }
            return successor?.continuation
        }
        next?.resume(returning: true)
    }

    private func endOverdue() {
        let now = NIODeadline.now()
        let (overdue, next) = state.withLock { state in
            let overdue = state.deadlines.removeOverdue(now).compactMap { entry -> Waiting? in
                state.seats[entry.token]?.wait?.number == entry.wait
                    ? state.seats[entry.token]?.wait.take()?.end : nil
            }
            return (overdue, state.deadlines.first)
        }
        for end in overdue { end(.deadline) }
        if let next { timer.scheduleTask(deadline: next) { self.endOverdue() } }
    }
}

extension NotificationHub.State {
    fileprivate mutating func nextNumber() -> Int64 {
        lastNumber += 1
        return lastNumber
    }

    fileprivate mutating func add(_ deadline: NIODeadline, token: Int64, wait: Int64) -> Bool {
        let seats = seats
        deadlines.tidy(keeping: seats.count) { seats[$0.token]?.wait?.number == $0.wait }
        return deadlines.add(deadline, token: token, wait: wait)
    }

    /// The reason to end a listener's wait at once; nil if it has to wait.
    fileprivate mutating func ending(for listener: NotificationListener) -> WaitEnding? {
        if isStopping { return .stopping }
        guard let seat = seats[listener.token], seat.holder == listener.number, seat.successor == nil else {
            return .replaced
        }
        if seat.hasHungUp { return .hungUp }
        guard seat.isWoken else { return nil }
        seats[listener.token]?.isWoken = false
        return .woken(nil)
    }
}
