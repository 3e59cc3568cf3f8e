import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The header `Date` of answers, made once a second.
package final class DateField: Sendable {
    private let state = Mutex<(second: time_t, text: String)>((0, ""))

    package init() {}

    /// The time by the machine's clock, such as `Sat, 31 Jan 2026 08:00:00 GMT` (RFC 9110 §5.6.7).
    package var text: String {
        var now = time(nil)
        return state.withLock { state in
            if state.second != now { state = (now, Self.text(of: &now)) }
            return state.text
        }
    }

    private static func text(of second: inout time_t) -> String {
        var parts = tm()
        gmtime_r(&second, &parts)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            strftime(buffer.baseAddress!, buffer.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
            return String(cString: buffer.baseAddress!)
        }
    }
}
