package import CloudModel

/// Limits on sustained requests per second; 0 for unlimited.
package struct RateSettings: Hashable, Sendable {
    /// The limit for one API token or server key.
    package var token = 0
    /// The limit for one user.
    package var user = 0
    /// The limit for one address, on requests without proven credentials; page requests are not counted.
    package var address = 0
    /// The seconds' worth of requests that may arrive in one burst.
    package var burst = 10
    /// The pause imposed after too many requests; zero to wait only for the next request's turn.
    package var pause = Duration.zero
    /// The limit on failed upload bytes of one user or address per quarter of an hour.
    package var refusedUploadBytes = 0

    /// The limits of a public server. Reading all 100,000 records of a user takes an app 500 requests.
    ///
    /// API tokens have no limit here: one token serves all users of an app, so no single number fits.
    package static let standard = RateSettings(user: 200, address: 100, refusedUploadBytes: 1 << 30)
}

/// The rate limits of a development server.
package enum RateProfile: String, CaseIterable, Sendable {
    /// The configured limits.
    case none
    /// Close to CloudKit, whose limits are unpublished: 40 requests per second, once published for small apps, and the
    /// pause of 30 seconds named in its refusals.
    case cloudkit

    package func rates(_ set: RateSettings) -> RateSettings {
        self == .none ? set : RateSettings(token: 40, user: 40, burst: 1, pause: .seconds(30))
    }
}

/// Counts requests by address, by user, and by API token or server key.
package struct RateLimits: Sendable {
    /// A single limit.
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
    /// Nil for unlimited.
    package let refusedUploads: RefusedUploads?

    package init(_ settings: RateSettings, now: @escaping Now) {
        token = Limit(settings.token, "rate.token", settings, now: now)
        user = Limit(settings.user, "rate.user", settings, now: now)
        address = Limit(settings.address, "rate.address", settings, now: now)
        refusedUploads = RefusedUploads(settings.refusedUploadBytes, now: now)
    }

    /// Whether addresses have a limit.
    package var limitsAddresses: Bool { address != nil }

    /// Counts a request against an address.
    ///
    /// - Throws: `THROTTLED` after too many requests.
    package func count(address name: String) throws(ServerError) { try address?.take(name) }

    /// Counts a request against its authenticated sender.
    ///
    /// - Parameters:
    ///   - name: the user's name; nil for a request without a user.
    ///   - credential: the name of the API token or server key; read only if there is a limit on tokens.
    /// - Throws: `THROTTLED` when the user, or the token or key, has made too many.
    package func count(user name: String?, credential: @autoclosure () -> String) throws(ServerError) {
        if let user, let name { try user.take(name) }
        if let token { try token.take(credential()) }
    }
}
