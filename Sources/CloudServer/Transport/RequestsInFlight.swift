import CloudModel
import Synchronization

/// Counts the requests being answered and the bytes of their bodies, by caller.
///
/// State: what each caller has, under one lock, with the parts of it that tickets hold.
final class RequestsInFlight: Sendable {
    /// Callers that are remembered though they have nothing here, which most soon have again.
    private static let mostIdle = 1000

    /// What one caller has. Touched under the lock of the counts.
    fileprivate final class Caller: @unchecked Sendable {
        var requests = 0
        var bytes = 0
        /// Bodies that may still count for it.
        var bodies = 0

        var isIdle: Bool { requests == 0 && bytes == 0 && bodies == 0 }
    }

    private struct State {
        var bytes = 0
        var callers: [String: Caller] = [:]
        /// The number of callers from which those that have nothing are forgotten.
        var most = mostIdle

        mutating func caller(_ name: String) -> Caller {
            if let known = callers[name] { return known }
            if callers.count >= most {
                callers = callers.filter { !$0.value.isIdle }
                most = callers.count + mostIdle
            }
            let new = Caller()
            callers[name] = new
            return new
        }

        mutating func take(_ count: Int, of caller: Caller, areFirst: Bool, _ settings: InFlightSettings) -> Refusal? {
            let most = areFirst ? settings.requestBytes + settings.requestBytes / 4 : settings.requestBytes
            if caller.bytes + count > settings.requestBytesPerCaller { return .bytesOfCaller }
            if bytes + count > most { return .bytes }
            bytes += count
            caller.bytes += count
            return nil
        }

        mutating func release(_ count: Int, of caller: Caller) {
            bytes -= count
            caller.bytes -= count
        }
    }

    private enum Refusal { case requests, bytesOfCaller, bytes }

    private let settings: InFlightSettings
    private let state = Mutex(State())

    init(_ settings: InFlightSettings) { self.settings = settings }

    /// Bytes that a body can have at all, with the setting that says so.
    var largestBody: (bytes: Int, setting: StaticString) {
        settings.requestBytesPerCaller <= settings.requestBytes
            ? (settings.requestBytesPerCaller, "inFlight.requestBytesPerCaller")
            : (settings.requestBytes, "inFlight.requestBytes")
    }

    /// The callers that are remembered.
    var remembered: Int { state.withLock { $0.callers.count } }

    /// One request, counted for as long as it lives. Its state is touched under the lock of the counts.
    final class Ticket: @unchecked Sendable {
        private let counts: RequestsInFlight
        private let address: Caller
        /// The caller, once there is one besides the address. The bytes are the caller's then.
        private var caller: Caller?
        private var bytes = 0

        fileprivate init(_ counts: RequestsInFlight, _ address: Caller) {
            self.counts = counts
            self.address = address
        }

        deinit {
            counts.state.withLock { state in
                state.release(bytes, of: caller ?? address)
                address.requests -= 1
                caller?.requests -= 1
            }
        }

        /// Counts the request as one of another caller's too, whose its bytes are.
        ///
        /// - Throws: `THROTTLED` when that caller has too many.
        func count(for name: String) throws(ServerError) {
            let caller = try counts.begin(name)
            counts.state.withLock { _ in
                address.bytes -= bytes
                caller.bytes += bytes
                self.caller = caller
            }
        }

        /// Bytes that its body can have at all, with the setting that says so.
        var largestBody: (bytes: Int, setting: StaticString) { counts.largestBody }

        /// Counts bytes of its body.
        ///
        /// - Parameter areFirst: whether they are the first of it, which go on while those of large bodies are refused.
        /// - Throws: `THROTTLED` when the caller sends too much at once, `TRY_AGAIN_LATER` when everybody together does.
        func take(_ count: Int, areFirst: Bool = false) throws(ServerError) {
            let refusal = counts.state.withLock { state in
                let refusal = state.take(count, of: caller ?? address, areFirst: areFirst, counts.settings)
                if refusal == nil { bytes += count }
                return refusal
            }
            if let refusal { throw counts.error(refusal) }
        }

        /// Counts the bytes of its body no longer; the request itself counts on.
        func releaseBytes() {
            counts.state.withLock { state in
                state.release(bytes, of: caller ?? address)
                bytes = 0
            }
        }
    }

    /// The bytes of one body that have come and that its request has not taken yet. Its state is touched under the lock of
    /// the counts.
    final class Unread: @unchecked Sendable {
        private let counts: RequestsInFlight
        private let address: Caller
        private var held = 0

        fileprivate init(_ counts: RequestsInFlight, _ address: Caller) {
            self.counts = counts
            self.address = address
        }

        deinit {
            counts.state.withLock { state in
                state.release(held, of: address)
                address.bodies -= 1
            }
        }

        /// Counts bytes, against the address and against all requests.
        ///
        /// - Throws: as ``Ticket/take(_:areFirst:)``.
        func take(_ count: Int) throws(ServerError) {
            let refusal = counts.state.withLock { state in
                let refusal = state.take(count, of: address, areFirst: true, counts.settings)
                if refusal == nil { held += count }
                return refusal
            }
            if let refusal { throw counts.error(refusal) }
        }

        /// Counts bytes no longer, since they are somebody else's now.
        func release(_ count: Int) {
            counts.state.withLock { state in
                let released = min(count, held)
                held -= released
                state.release(released, of: address)
            }
        }
    }

    func unread(of address: String) -> Unread {
        let caller = state.withLock { state in
            let caller = state.caller(address)
            caller.bodies += 1
            return caller
        }
        return Unread(self, caller)
    }

    /// - Throws: `THROTTLED` when the caller has too many.
    func ticket(for caller: String) throws(ServerError) -> Ticket { Ticket(self, try begin(caller)) }

    private func begin(_ name: String) throws(ServerError) -> Caller {
        let begun = state.withLock { state -> Caller? in
            let caller = state.caller(name)
            guard caller.requests < settings.requestsPerCaller else { return nil }
            caller.requests += 1
            return caller
        }
        guard let begun else { throw error(.requests) }
        return begun
    }

    private func error(_ refusal: Refusal) -> ServerError {
        switch refusal {
        case .requests:
            ServerError(
                .throttled,
                "too many requests at once, at most \(settings.requestsPerCaller) are allowed "
                    + "(inFlight.requestsPerCaller)", .limit(settings.requestsPerCaller, "inFlight.requestsPerCaller"),
                retryAfter: 1)
        case .bytesOfCaller:
            ServerError(
                .throttled,
                "the requests being sent are too large together, at most \(settings.requestBytesPerCaller) bytes "
                    + "are allowed (inFlight.requestBytesPerCaller)",
                .limit(settings.requestBytesPerCaller, "inFlight.requestBytesPerCaller"), retryAfter: 1)
        case .bytes:
            ServerError(
                .tryAgainLater,
                "too much is being sent, at most \(settings.requestBytes) bytes of all requests together "
                    + "(inFlight.requestBytes)", .limit(settings.requestBytes, "inFlight.requestBytes"),
                retryAfter: 1)
        }
    }
}
