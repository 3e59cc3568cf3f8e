package import CloudModel
import Synchronization

/// Counts concurrent requests and their body bytes, by caller.
///
/// State: one lock guards all callers and tickets.
package final class RequestsInFlight: Sendable {
    /// Idle callers kept before a cleanup; most soon send another request.
    private static let mostIdle = 1000

    /// Counts of one caller. Touched under the lock of ``RequestsInFlight``.
    fileprivate final class Caller: @unchecked Sendable {
        var requests = 0
        var bytes = 0
        /// The number of ``Unread`` objects that count against the caller.
        var bodies = 0

        var isIdle: Bool { requests == 0 && bytes == 0 && bodies == 0 }
    }

    private struct State {
        var bytes = 0
        var callers: [String: Caller] = [:]
        /// The number of callers that triggers a cleanup of idle callers.
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

    package init(_ settings: InFlightSettings) { self.settings = settings }

    /// The largest possible body in bytes, with the setting behind it.
    package var largestBody: (bytes: Int, setting: StaticString) {
        settings.requestBytesPerCaller <= settings.requestBytes
            ? (settings.requestBytesPerCaller, "inFlight.requestBytesPerCaller")
            : (settings.requestBytes, "inFlight.requestBytes")
    }

    /// Body bytes of running requests.
    package var bytes: Int { state.withLock { $0.bytes } }
    /// The number of callers in memory.
    package var remembered: Int { state.withLock { $0.callers.count } }

    /// Counts one request until deinit. Its state is touched under the lock of ``RequestsInFlight``.
    package final class Ticket: @unchecked Sendable {
        private let counts: RequestsInFlight
        private let address: Caller
        /// The user or server key, once known. The request's bytes then count against it instead of the address.
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

        /// Counts the request against a user or server key as well, and moves its bytes there from the address.
        ///
        /// - Throws: `THROTTLED` when that caller has too many concurrent requests.
        package func count(for name: String) throws(ServerError) {
            let caller = try counts.begin(name)
            counts.state.withLock { _ in
                address.bytes -= bytes
                caller.bytes += bytes
                self.caller = caller
            }
        }

        package var largestBody: (bytes: Int, setting: StaticString) { counts.largestBody }

        /// Counts body bytes.
        ///
        /// - Parameter areFirst: true for the first 64 KB of a body, which may exceed the limit by a quarter.
        /// - Throws: `THROTTLED` over the caller's limit, `TRY_AGAIN_LATER` over the server's limit.
        package func take(_ count: Int, areFirst: Bool = false) throws(ServerError) {
            let refusal = counts.state.withLock { state in
                let refusal = state.take(count, of: caller ?? address, areFirst: areFirst, counts.settings)
                if refusal == nil { bytes += count }
                return refusal
            }
            if let refusal { throw counts.error(refusal) }
        }

        /// Releases the body bytes; the request still counts.
        package func releaseBytes() {
            counts.state.withLock { state in
                state.release(bytes, of: caller ?? address)
                bytes = 0
            }
        }
    }

    /// Counts received bytes of one body until its request takes them. Its state is touched under the lock of
    /// ``RequestsInFlight``.
    package final class Unread: @unchecked Sendable {
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

        /// Counts bytes against the address and the server's limit.
        ///
        /// - Throws: see ``Ticket/take(_:areFirst:)``.
        package func take(_ count: Int) throws(ServerError) {
            let refusal = counts.state.withLock { state in
                let refusal = state.take(count, of: address, areFirst: true, counts.settings)
                if refusal == nil { held += count }
                return refusal
            }
            if let refusal { throw counts.error(refusal) }
        }

        /// Releases bytes that the request has taken.
        package func release(_ count: Int) {
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

    /// - Throws: `THROTTLED` when the caller has too many concurrent requests.
    package func ticket(for caller: String) throws(ServerError) -> Ticket { Ticket(self, try begin(caller)) }

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
