package import CloudModel

/// When a provider's keys are fetched: as often as the provider says, and for unknown keys at most once a minute.
///
/// The two are counted apart: a provider may begin to use another key right after its keys were fetched because of their age.
package struct KeyFreshness: Sendable {
    /// Bounds and default of the time that keys are fresh, in seconds.
    package static let lifetimes: ClosedRange<Int64> = 300...86_400
    package static let usualLifetime: Int64 = 3600
    /// How long keys are good while they cannot be fetched, in seconds.
    package static let longestUse: Int64 = 86_400
    /// The shortest time between two fetches for the same reason, in seconds.
    package static let shortestPause: Int64 = 60

    private var fetched: Timestamp?
    private var tried: Timestamp?
    /// The last fetch for an unknown key.
    private var triedForKey: Timestamp?
    private var lifetime = KeyFreshness.usualLifetime

    package init() {}

    /// True if a fetch may begin now.
    ///
    /// - Parameter isKeyUnknown: whether a token names a key that is not in the set.
    package func mayFetch(isKeyUnknown: Bool, now: Timestamp) -> Bool {
        guard isKeyUnknown || !isFresh(now: now) else { return false }
        guard let last = isKeyUnknown ? triedForKey : tried else { return true }
        return !(0..<Self.shortestPause).contains(now.wholeSeconds - last.wholeSeconds)
    }

    /// True if the keys may be used, fresh or not.
    package func isUsable(now: Timestamp) -> Bool { age(now).map { $0 <= Self.longestUse } ?? false }

    private func isFresh(now: Timestamp) -> Bool { age(now).map { (0..<lifetime).contains($0) } ?? false }

    private func age(_ now: Timestamp) -> Int64? { fetched.map { now.wholeSeconds - $0.wholeSeconds } }

    /// Notes that a fetch begins.
    ///
    /// - Parameter isKeyUnknown: whether it is for a token whose key is not in the set.
    package mutating func begin(isKeyUnknown: Bool = false, now: Timestamp) {
        tried = now
        if isKeyUnknown { triedForKey = now }
    }

    /// Notes that keys were fetched.
    ///
    /// - Parameter cacheControl: the header `Cache-Control` of the answer.
    package mutating func succeed(cacheControl: String?, now: Timestamp) {
        fetched = now
        lifetime = Self.lifetime(cacheControl)
    }

    static func lifetime(_ cacheControl: String?) -> Int64 {
        guard let cacheControl else { return usualLifetime }
        let parts = cacheControl.lowercased().split(separator: ",").map { part in
            part.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " && $0 != "\"" && $0 != "\t" } }
        }
        guard !parts.contains(where: { ["no-store", "no-cache"].contains($0.first) }) else {
            return lifetimes.lowerBound
        }
        guard let text = parts.first(where: { $0.first == "max-age" && $0.count == 2 })?[1], !text.isEmpty,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return usualLifetime }
        // RFC 9111 §1.2.2: a number that is too large is the largest one.
        return min(max(Int64(text) ?? .max, lifetimes.lowerBound), lifetimes.upperBound)
    }
}
