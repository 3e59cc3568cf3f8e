package import CloudModel

/// A client's history, as needed by the rules.
package struct LintedClient {
    /// The last state of a feed that the client received.
    struct Feed {
        var moreComing: Bool
        /// The request that read the feed.
        let request: String
        let route: String
    }

    /// A moment by the settable clock and by the continuous clock. A pause is over when either clock has passed its
    /// end.
    package struct Moment {
        package let time: Timestamp
        let instant: ContinuousClock.Instant
    }

    /// A pause requested by the server.
    private struct Pause {
        let began: Moment
        let seconds: Int

        /// The whole seconds passed at a moment; nil outside the pause.
        func passed(at moment: Moment) -> Int? {
            let passed = max(moment.time - began.time, moment.instant - began.instant)
            return moment.instant > began.instant && passed < .seconds(seconds) ? Int(passed / .seconds(1)) : nil
        }
    }

    private(set) var feeds = BoundedCache<String, Feed>(capacity: 200)
    private var known = BoundedCache<LintedRecord, Void>(capacity: 2000)
    private var pauses: [String: Pause] = [:]

    /// Adds an exchange to the history, and returns its mistakes.
    ///
    /// - Parameters:
    ///   - request: the id of the request.
    ///   - came: the arrival of the request.
    ///   - now: the time of the answer.
    package mutating func note(
        _ exchange: LintedExchange, request: String, came: Moment, now: Moment
    ) -> [(LintRule, String)] {
        var found: [(LintRule, String)] = []
        if let pause = pauses[exchange.route], let passed = pause.passed(at: came) {
            found.append(
                (
                    .retryAfter,
                    "\(exchange.route) came again \(passed) s after an answer with retryAfter \(pause.seconds)"
                ))
        }
        if let seconds = exchange.retryAfter, seconds > 0 {
            pauses[exchange.route] = Pause(began: now, seconds: seconds)
        }
        for read in exchange.reads { found += note(read, of: exchange.route, request: request) }
        for forced in exchange.forced where known.contains(forced.record) {
            found.append(
                (
                    .recordChangeTag,
                    "\(forced.operation) of '\(Naming.shown(forced.record.name))' without its tag, which it had"
                ))
        }
        for record in exchange.known { known.insert(record) }
        for record in exchange.deleted { known[record] = nil }
        return found
    }

    private mutating func note(
        _ read: LintedExchange.Read, of route: String, request: String
    ) -> [(LintRule, String)] {
        guard let moreComing = read.moreComing else {
            feeds[read.feed] = nil
            return []
        }
        let isAnew = !read.hadToken && feeds[read.feed] != nil
        feeds[read.feed] = Feed(moreComing: moreComing, request: request, route: route)
        return isAnew ? [(.syncToken, "\(route) read \(read.feed) from its beginning again")] : []
    }

    /// Forgets the feeds of a deleted zone, since the feed of a new zone starts over.
    package mutating func forget(zone: String) {
        feeds.removeAll { $0.contains("'\(Naming.shown(zone))'") }
    }
}
