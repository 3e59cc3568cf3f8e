import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The addresses of a host, from the system's resolver.
///
/// The resolver blocks while name servers are silent, so each host gets one thread, shared by all its callers; a caller stops
/// waiting at its own deadline. State: the running calls, under one lock.
package enum HostLookup {
    /// The host has no address, or the lookup failed.
    package struct Failure: Error, Hashable, CustomStringConvertible {
        package let description: String
    }

    /// The default time limit.
    package static let patience = Duration.seconds(10)

    private typealias Waiter = @Sendable (Result<[String], Failure>) -> Void

    private struct Call {
        let began = ContinuousClock.now
        var waiters: [Int: Waiter] = [:]
    }

    private static let state = Mutex<(calls: [String: Call], last: Int)>(([:], 0))

    /// All addresses in the resolver's order, best first. An IP address, in any spelling, resolves to itself.
    ///
    /// - Parameter time: from the beginning of the system's call, which an earlier caller may have begun.
    /// - Throws: ``Failure``; `CancellationError` when the task is cancelled.
    package static func addresses(of host: String, within time: Duration = patience) async throws -> [IPAddress] {
        let (answers, source) = AsyncThrowingStream<[String], any Error>.makeStream()
        let (id, began) = join(host) { answer in
            source.yield(with: answer.mapError { $0 })
            source.finish()
        }
        let late = Task {
            try await Task.sleep(until: began + time, clock: .continuous)
            source.finish(throwing: silence(of: host))
        }
        defer {
            late.cancel()
            leave(host, id)
        }
        for try await spellings in answers { return spellings.compactMap(address) }
        throw CancellationError()
    }

    /// A blocking variant that returns numeric addresses as text. Only for threads that may block.
    package static func digits(of host: String, within time: Duration) throws(Failure) -> [String] {
        let (answer, told) = (Answer(), DispatchSemaphore(value: 0))
        let (id, began) = join(host) {
            answer.set($0)
            told.signal()
        }
        let left = ContinuousClock.now.duration(to: began + time) / .seconds(1)
        let isTold = told.wait(timeout: .now() + max(0, left)) == .success
        leave(host, id)
        guard isTold, let answer = answer.value else { throw silence(of: host) }
        return try answer.get()
    }

    /// Starts a lookup ahead of its first use.
    package static func begin(_ host: String) {
        let (id, _) = join(host) { _ in }
        leave(host, id)
    }

    private final class Answer: Sendable {
        private let state = Mutex<Result<[String], Failure>?>(nil)
        var value: Result<[String], Failure>? { state.withLock(\.self) }
        func set(_ answer: Result<[String], Failure>) { state.withLock { $0 = answer } }
    }

    private static func silence(of host: String) -> Failure {
        Failure(description: "no name server has told the address of \(host) in time")
    }

    // MARK: Calls

    /// Joins the running call for a host, or starts a call.
    private static func join(
        _ host: String, _ waiter: @escaping Waiter
    ) -> (id: Int, began: ContinuousClock.Instant) {
        let (id, began, isFirst) = state.withLock { state in
            state.last += 1
            let isFirst = state.calls[host] == nil
            var call = state.calls[host] ?? Call()
            call.waiters[state.last] = waiter
            state.calls[host] = call
            return (state.last, call.began, isFirst)
        }
        if isFirst {
            Thread.detachNewThread {
                let answer = Result { () throws(Failure) in try find(host) }
                let waiters = state.withLock { $0.calls.removeValue(forKey: host)?.waiters ?? [:] }
                for waiter in waiters.values { waiter(answer) }
            }
        }
        return (id, began)
    }

    private static func leave(_ host: String, _ id: Int) {
        state.withLock { _ = $0.calls[host]?.waiters.removeValue(forKey: id) }
    }

    private static func find(_ host: String) throws(Failure) -> [String] {
        var hints = addrinfo()
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, nil, &hints, &list)
        guard status == 0 else {
            throw Failure(description: "\(host) has no address: \(String(cString: gai_strerror(status)))")
        }
        defer { freeaddrinfo(list) }
        var found: [String] = []
        var next = list
        while let entry = next?.pointee {
            if let digits = digits(of: entry), !found.contains(digits) { found.append(digits) }
            next = entry.ai_next
        }
        guard !found.isEmpty else { throw Failure(description: "\(host) has no address") }
        return found
    }

    /// The numeric text of an address, which avoids system-dependent address layouts.
    private static func digits(of entry: addrinfo) -> String? {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let status = getnameinfo(
            entry.ai_addr, entry.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
        guard status == 0 else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Drops an interface name after `%`.
    private static func address(_ spelling: String) -> IPAddress? {
        let digits = String(spelling.prefix { $0 != "%" })
        let family = digits.contains(":") ? AF_INET6 : AF_INET
        var bytes = [UInt8](repeating: 0, count: family == AF_INET6 ? 16 : 4)
        guard inet_pton(family, digits, &bytes) == 1 else { return nil }
        return IPAddress(bytes)
    }
}
