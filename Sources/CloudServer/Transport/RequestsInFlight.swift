package import CloudModel
import CloudStore
import Synchronization

/// Limits on the requests that may be in the process at once.
package struct InFlightSettings: Sendable {
    /// Requests of one user, one server key or one address that are being answered, those that wait for notifications
    /// not counted.
    package var requestsPerCaller = 1000
    /// Bytes of request bodies that have come and are not answered yet. The first of each body may exceed it by a quarter,
    /// so that small requests go on while large ones are refused.
    package var requestBytes = 64 << 20
    /// The same of one user, server key or address.
    package var requestBytesPerCaller = 32 << 20
    /// Bytes of answers that are not written out yet.
    package var answerBytes = 64 << 20
    /// The same of one user, server key or address.
    package var answerBytesPerCaller = 16 << 20

    /// The part of its memory that a process may fill with bodies of requests, and with those of answers: a body takes
    /// about seven times its bytes while it is parsed, stored and answered.
    private static let part = 10

    /// Lowers the bounds to those of a process with so many bytes of memory: one caller has half of the bodies and a
    /// quarter of the answers, and room for one of the largest in any case.
    package mutating func fit(memory: Int, _ limits: Limits) {
        let most = max(memory / Self.part, 1 << 20)
        requestBytes = min(requestBytes, most)
        requestBytesPerCaller = min(
            requestBytesPerCaller, max(requestBytes / 2, min(limits.requestBytes, requestBytes)))
        answerBytes = min(answerBytes, most)
        answerBytesPerCaller = min(
            answerBytesPerCaller,
            max(answerBytes / 4, min(limits.responseBytes + limits.recordBytes, answerBytes)))
    }
}

/// Counts the requests being answered and the bytes of their bodies, by caller.
///
/// State: what each caller has, under one lock.
final class RequestsInFlight: Sendable {
    private struct Held {
        var requests = 0
        var bytes = 0

        mutating func begin(ifFewerThan most: Int) -> Bool {
            guard requests < most else { return false }
            requests += 1
            return true
        }
    }

    private let settings: InFlightSettings
    private let state = Mutex<(bytes: Int, byCaller: [String: Held])>((0, [:]))

    init(_ settings: InFlightSettings) { self.settings = settings }

    /// Bytes that a body can have at all, with the setting that says so.
    var largestBody: (bytes: Int, setting: StaticString) {
        settings.requestBytesPerCaller <= settings.requestBytes
            ? (settings.requestBytesPerCaller, "inFlight.requestBytesPerCaller")
            : (settings.requestBytes, "inFlight.requestBytes")
    }

    /// One request, counted for as long as it lives.
    final class Ticket: Sendable {
        private let counts: RequestsInFlight
        private let address: String
        /// The caller, once there is one besides the address, and the bytes, which are the caller's then.
        private let state = Mutex<(caller: String?, bytes: Int)>((nil, 0))

        fileprivate init(_ counts: RequestsInFlight, _ address: String) {
            self.counts = counts
            self.address = address
        }

        deinit {
            let (caller, bytes) = state.withLock { $0 }
            counts.end(address, bytes: caller == nil ? bytes : 0)
            if let caller { counts.end(caller, bytes: bytes) }
        }

        /// Counts the request as one of another caller's too, whose its bytes are.
        ///
        /// - Throws: `THROTTLED` when that caller has too many.
        func count(for caller: String) throws(ServerError) {
            try counts.begin(caller)
            state.withLock { $0.caller = caller }
        }

        /// Bytes that its body can have at all, with the setting that says so.
        var largestBody: (bytes: Int, setting: StaticString) { counts.largestBody }

        /// Counts bytes of its body.
        ///
        /// - Parameter areFirst: whether they are the first of it, which go on while those of large bodies are refused.
        /// - Throws: `THROTTLED` when the caller sends too much at once, `TRY_AGAIN_LATER` when everybody together does.
        func take(_ count: Int, areFirst: Bool = false) throws(ServerError) {
            try counts.take(count, areFirst: areFirst, for: state.withLock { $0.caller } ?? address)
            state.withLock { $0.bytes += count }
        }

        /// Counts the bytes of its body no longer; the request itself counts on.
        func releaseBytes() {
            let (caller, bytes) = state.withLock { state in
                defer { state.bytes = 0 }
                return state
            }
            counts.release(bytes, of: caller ?? address)
        }
    }

    /// The bytes of one body that have come and that its request has not taken yet.
    final class Unread: Sendable {
        private let counts: RequestsInFlight
        private let address: String
        private let held = Mutex(0)

        fileprivate init(_ counts: RequestsInFlight, _ address: String) {
            self.counts = counts
            self.address = address
        }

        deinit { counts.release(held.withLock { $0 }, of: address) }

        /// Counts bytes, against the address and against all requests.
        ///
        /// - Throws: as ``Ticket/take(_:areFirst:)``.
        func take(_ count: Int) throws(ServerError) {
            try counts.take(count, areFirst: true, for: address)
            held.withLock { $0 += count }
        }

        /// Counts bytes no longer, since they are somebody else's now.
        func release(_ count: Int) {
            let released = held.withLock { held in
                let released = min(count, held)
                held -= released
                return released
            }
            counts.release(released, of: address)
        }
    }

    func unread(of address: String) -> Unread { Unread(self, address) }

    /// - Throws: `THROTTLED` when the caller has too many.
    func ticket(for caller: String) throws(ServerError) -> Ticket {
        try begin(caller)
        return Ticket(self, caller)
    }

    private func begin(_ caller: String) throws(ServerError) {
        let isAllowed = state.withLock {
            $0.byCaller[caller, default: Held()].begin(ifFewerThan: settings.requestsPerCaller)
        }
        if !isAllowed {
            throw ServerError(
                .throttled,
                "too many requests at once, at most \(settings.requestsPerCaller) are allowed "
                    + "(inFlight.requestsPerCaller)", .limit(settings.requestsPerCaller, "inFlight.requestsPerCaller"),
                retryAfter: 1)
        }
    }

    private func take(_ bytes: Int, areFirst: Bool, for caller: String) throws(ServerError) {
        let most = areFirst ? settings.requestBytes + settings.requestBytes / 4 : settings.requestBytes
        let refusal = state.withLock { state -> ServerError? in
            if state.byCaller[caller, default: Held()].bytes + bytes > settings.requestBytesPerCaller {
                return ServerError(
                    .throttled,
                    "the requests being sent are too large together, at most \(settings.requestBytesPerCaller) bytes "
                        + "are allowed (inFlight.requestBytesPerCaller)",
                    .limit(settings.requestBytesPerCaller, "inFlight.requestBytesPerCaller"), retryAfter: 1)
            }
            if state.bytes + bytes > most {
                return ServerError(
                    .tryAgainLater,
                    "too much is being sent, at most \(settings.requestBytes) bytes of all requests together "
                        + "(inFlight.requestBytes)", .limit(settings.requestBytes, "inFlight.requestBytes"),
                    retryAfter: 1)
            }
            state.bytes += bytes
            state.byCaller[caller, default: Held()].bytes += bytes
            return nil
        }
        if let refusal { throw refusal }
    }

    private func end(_ caller: String, bytes: Int) { release(bytes, of: caller, requests: 1) }

    private func release(_ bytes: Int, of caller: String, requests: Int = 0) {
        if bytes == 0, requests == 0 { return }
        state.withLock { state in
            state.bytes -= bytes
            guard let index = state.byCaller.index(forKey: caller) else { return }
            state.byCaller.values[index].requests -= requests
            state.byCaller.values[index].bytes -= bytes
            let held = state.byCaller.values[index]
            if held.requests == 0, held.bytes == 0 { state.byCaller.remove(at: index) }
        }
    }
}
