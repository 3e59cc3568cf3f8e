package import CloudModel
package import CloudOperations
package import CloudStore
package import Logging

/// The validated configuration of a server.
package struct ServerConfiguration: Sendable {
    /// Listening address.
    package var host = "127.0.0.1"
    /// Listening port; 0 for any free port.
    package var port = 8080
    /// The public origin without a trailing slash; nil to use the Host header of each request.
    package var publicURL: String?
    /// How long browsers insist on TLS after a visit over HTTPS (`Strict-Transport-Security`); 0 sends no header.
    package var strictTransportAge = Duration.seconds(31_536_000)
    package var tls = TLSSettings()
    /// A folder of pages for development; nil for the built-in pages.
    package var publicFolder: String?
    /// True behind a proxy that appends the client's address to `X-Forwarded-For`.
    package var trustForwardedFor = false
    /// For tests: creates containers on first use, accepts a well-known API token, and grants sessions without passwords.
    package var dev = false
    /// True to allow `dev` from other machines.
    package var devAllowsRemote = false
    /// True to enable the operators' console.
    package var consoleIsEnabled = false
    package var limits = Limits()
    package var logLevel = Logger.Level.info
    package var sessionLifetimes = SessionLifetimes()
    /// Allowed clock difference of a signed request (reference B §4.4).
    package var signatureWindow = Duration.seconds(600)
    package var guessing = GuessingSettings()
    /// Interval of saving the last use of sign-ins.
    package var usesInterval = Duration.seconds(10)
    package var registration = RegistrationSettings()
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
    /// Maximum of open connections, reduced to fit ``descriptors``.
    package var connections = 10_000
    /// Maximum of environments with open databases, reduced to fit ``descriptors``.
    package var openEnvironments = 64
    /// Time until an unused environment's database is closed.
    package var environmentIdleTime = Duration.seconds(300)
    /// The process's file descriptor limit.
    package var descriptors = 20_000
    /// Time limit for an asset upload.
    package var assetUploadTime = Duration.seconds(900)
    /// The lifetime of an asset link. Records carry links with at least three quarters of it left.
    package var assetLinkLifetime = Duration.seconds(86400)
    /// Interval of deleting unreferenced assets.
    package var assetCollectionInterval = Duration.seconds(3600)
    /// Nil for no backups.
    package var backups: BackupSchedule?
    package var push = PushSettings()
    package var webhooks = WebhookSettings()
    package var requests = RequestSettings()
    /// Listening address for metrics; nil for none.
    package var metricsAddress: HostAndPort?
    /// All settings in display form, for operators.
    package var settings: [SettingInfo] = []
    /// Called with the port once the server listens.
    package var onListening: @Sendable (_ port: Int) async -> Void = { _ in }

    /// The clock of a development server's data, set by tests. Never jumps without `dev`.
    package var clock = SettableClock()

    /// Faults injected by tests; unused without `dev`.
    package var faults = FaultRules()

    /// Checks client behaviour on a development server, if enabled.
    package var lint = ClientLint()

    /// Called with the record of each answered request; nil for none.
    package var onRequest: (@Sendable (RequestRecord) -> Void)?

    package init() {}

    /// The rate limits in force.
    var currentRates: RateSettings { dev ? rateProfile.rates(rates) : rates }
}
