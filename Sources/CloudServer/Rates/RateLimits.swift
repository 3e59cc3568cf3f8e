import CloudModel
package import CloudStore

/// Limits on how many requests a second somebody may make over time; 0 stands for none.
package struct RateSettings: Hashable, Sendable {
    /// Of one API token or server key.
    package var token = 0
    /// Of one user.
    package var user = 0
    /// The limit for one address, on requests without proven credentials; page requests are not counted.
    package var address = 0
    /// The seconds' worth of requests that may arrive in one burst.
    package var burst = 10
    /// The time that whoever has made too many requests is refused; zero for as long as the next one takes to be due.
    package var pause = Duration.zero
    /// Bytes of uploads that come to nothing in a quarter of an hour, of one user or address.
    package var refusedUploadBytes = 0

    /// The limits of a public server. Reading all 100,000 records of a user takes an app 500 requests.
    ///
    /// API tokens have no limit here: one token serves all users of an app, so no single number fits.
    package static let standard = RateSettings(user: 200, address: 100, refusedUploadBytes: 1 << 30)
}

/// The rates of a development server.
package enum RateProfile: String, CaseIterable, Sendable {
    /// Those that are set.
    case none
    /// Much like those of the original, which says no numbers: 40 requests a second, as it once published for a small
    /// app, and a pause of 30 seconds, as its refusals name.
    case cloudkit

    func rates(_ set: RateSettings) -> RateSettings {
        self == .none ? set : RateSettings(token: 40, user: 40, burst: 1, pause: .seconds(30))
    }
}

/// Counts requests over time, by address, by user and by API token or server key.
struct RateLimits: Sendable {
    /// One of the limits.
    private struct Limit: Sendable {
        let limiter: AttemptLimiter
        let pauses: RatePauses
        let most: Int
        let setting: StaticString

        init?(_ most: Int, _ setting: StaticString, _ settings: RateSettings, now: @escaping Now) {
            guard most > 0 else { return nil }
            self.most = most
            self.setting = setting
            limiter = AttemptLimiter(attempts: most * settings.burst, window: .seconds(settings.burst), now: now)
            pauses = RatePauses(length: settings.pause, now: now)
        }

        func take(_ key: String) throws(ServerError) {
            guard let seconds = pauses.left(of: key) ?? limiter.take(key).map({ pauses.begin(of: key, atLeast: $0) })
            else { return }
            throw ServerError(
                .throttled, "too many requests, at most \(most) a second are allowed (\(known: setting))",
                .limit(most, setting), retryAfter: seconds)
        }
    }

    private let token: Limit?
    private let user: Limit?
    private let address: Limit?
    /// Nil for no limit.
    let refusedUploads: RefusedUploads?

    init(_ settings: RateSettings, now: @escaping Now) {
        token = Limit(settings.token, "rate.token", settings, now: now)
        user = Limit(settings.user, "rate.user", settings, now: now)
        address = Limit(settings.address, "rate.address", settings, now: now)
        refusedUploads = RefusedUploads(settings.refusedUploadBytes, now: now)
    }

    /// Whether there is a limit for addresses.
    var limitsAddresses: Bool { address != nil }

    /// Counts a request of an address.
    ///
    /// - Throws: `THROTTLED` when it has made too many.
    func count(address name: String) throws(ServerError) { try address?.take(name) }

    /// Counts a request against its authenticated sender. A server key is an operator's program, so only the token
    /// limit applies.
    ///
    /// - Throws: `THROTTLED` when the user, or the token or key, has made too many.
    func count(_ identity: Identity) throws(ServerError) {
        if let user, let name = identity.callerName, !identity.isServerKey { try user.take(name) }
        if let token { try token.take(identity.credentialName) }
    }
}

extension Identity {
    fileprivate var isServerKey: Bool { if case .serverKey = caller { true } else { false } }
}
