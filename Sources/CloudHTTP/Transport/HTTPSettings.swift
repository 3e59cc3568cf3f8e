package import CloudModel

/// Validated settings of connections, requests and their records.
package struct HTTPSettings: Sendable {
    /// Listening address.
    package var host = "127.0.0.1"
    /// Listening port; 0 for any free port.
    package var port = 8080
    /// The public origin without a trailing slash; nil to use the Host header of each request.
    package var publicURL: String?
    /// How long browsers insist on TLS after a visit over HTTPS (`Strict-Transport-Security`); 0 sends no header.
    package var strictTransportAge = Duration.seconds(31_536_000)
    package var tls = TLSSettings()
    /// True behind a proxy that appends the client's address to `X-Forwarded-For`.
    package var trustForwardedFor = false
    /// For tests: creates containers on first use, accepts a well-known API token, and grants sessions without passwords.
    package var dev = false
    /// True to allow `dev` from other machines.
    package var devAllowsRemote = false
    package var limits = Limits()
    /// Time limit for a request to arrive.
    package var requestTime = Duration.seconds(60)
    /// Time limit for a client that reads nothing.
    package var readingTime = Duration.seconds(30)
    /// Minimum reading speed in bytes per second, averaged over ``readingTime``; 0 for none.
    package var readingSpeed = 250
    /// Connections per address; ignored behind a proxy.
    package var connectionsPerAddress = 1000
    package var inFlight = InFlightSettings()
    package var rates = RateSettings()
    /// Rate limits on a development server.
    package var rateProfile = RateProfile.none
    /// Time limit for an idle connection.
    package var idleTime = Duration.seconds(75)
    /// Time limit for an asset upload.
    package var assetUploadTime = Duration.seconds(900)
    package var requests = RequestSettings()
    /// Listening address for metrics; nil for none.
    package var metricsAddress: HostAndPort?
    /// Called with the record of each answered request; nil for none.
    package var onRequest: (@Sendable (RequestRecord) -> Void)?

    package init() {}

    /// The rate limits in force.
    package var currentRates: RateSettings { dev ? rateProfile.rates(rates) : rates }

    /// The client address that attempts count against; nil when unknown.
    package func client(of request: Request, _ context: CloudRequestContext) -> ClientAddress? {
        ClientAddress(headers: request.headers, peer: context.peer, trustForwardedFor: trustForwardedFor)
    }
}
