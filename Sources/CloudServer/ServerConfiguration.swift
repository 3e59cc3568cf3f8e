package import CloudModel
package import CloudOperations
package import CloudStore
package import Logging

/// Everything a server can be told, already checked.
package struct ServerConfiguration: Sendable {
    /// The address to listen at.
    package var host = "127.0.0.1"
    /// The port to listen at; 0 takes any free one.
    package var port = 8080
    /// The origin clients reach the server by, without a slash at the end; nil when it is the one they name.
    package var publicURL: String?
    /// The time that browsers keep to TLS after a visit over the public URL; 0 does not ask them to.
    package var strictTransportAge = Duration.seconds(31_536_000)
    package var tls = TLSSettings()
    /// The folder to read pages from, to work on them; nil for those in the program.
    package var publicFolder: String?
    /// True if a proxy in front adds the client's address to `X-Forwarded-For`.
    package var trustForwardedFor = false
    /// For tests: containers spring up when named, a well-known API token works, sessions are free.
    package var dev = false
    /// True if `dev` is for more than this machine.
    package var devAllowsRemote = false
    /// True if operators may sign in to the console.
    package var consoleIsEnabled = false
    package var limits = Limits()
    package var logLevel = Logger.Level.info
    package var sessionLifetimes = SessionLifetimes()
    /// The greatest difference between the date of a signed request and now (reference B §4.4).
    package var signatureWindow = Duration.seconds(600)
    package var guessing = GuessingSettings()
    /// The time between two writings of the last uses of sign-ins.
    package var usesInterval = Duration.seconds(10)
    package var registration = RegistrationSettings()
    /// The time that a request may take to arrive.
    package var requestTime = Duration.seconds(60)
    /// The time that a client may take nothing of what it is sent before its connection ends.
    package var readingTime = Duration.seconds(30)
    /// Bytes a second that a client takes of what it is sent, on average over ``readingTime``; 0 for no limit.
    package var readingSpeed = 250
    /// Connections of one address; not counted behind a proxy.
    package var connectionsPerAddress = 1000
    package var inFlight = InFlightSettings()
    package var rates = RateSettings()
    /// The rates of a development server.
    package var rateProfile = RateProfile.none
    /// The time that a connection may stay open without a request.
    package var idleTime = Duration.seconds(75)
    /// The number of connections that may be open, as far as descriptors allow.
    package var connections = 10_000
    /// The number of environments whose databases may be open, as far as descriptors allow.
    package var openEnvironments = 64
    /// The time that the database of an environment stays open while nobody uses it.
    package var environmentIdleTime = Duration.seconds(300)
    /// The number of descriptors that the process may have.
    package var descriptors = 20_000
    /// The time that an asset may take to arrive.
    package var assetUploadTime = Duration.seconds(900)
    /// The lifetime of a link to an asset. The server renews the link before a quarter of that has passed.
    package var assetLinkLifetime = Duration.seconds(86400)
    /// The interval at which the server drops assets that nothing refers to.
    package var assetCollectionInterval = Duration.seconds(3600)
    /// Nil when the server is to make no backups.
    package var backups: BackupSchedule?
    package var push = PushSettings()
    package var webhooks = WebhookSettings()
    package var requests = RequestSettings()
    /// The address to read metrics at; nil for none.
    package var metricsAddress: HostAndPort?
    /// Every setting as operators are told of it.
    package var settings: [SettingInfo] = []
    /// Told the port once the server listens.
    package var onListening: @Sendable (_ port: Int) async -> Void = { _ in }

    /// The clock that a development server's data folder goes by, which tests set. Without `dev` it never jumps.
    package var clock = SettableClock()

    /// The faults that tests have asked for; without `dev` nobody can.
    package var faults = FaultRules()

    /// Watches the clients of a development server, once somebody asks for that.
    package var lint = ClientLint()

    /// Told of every request that was answered; nil when nobody wants to know.
    package var onRequest: (@Sendable (RequestRecord) -> Void)?

    package init() {}

    /// The rates in force.
    var currentRates: RateSettings { dev ? rateProfile.rates(rates) : rates }
}
