package import CloudModel
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
    /// How long browsers come back over TLS only once they have been here over the public URL, in seconds; 0 not to ask
    /// them to.
    package var strictTransportAge = 31_536_000.0
    /// The folder of page templates and styles; nil to look for `Public` where it usually is.
    package var publicFolder: String?
    /// Whether a proxy in front adds the client's address to `X-Forwarded-For`.
    package var trustForwardedFor = false
    /// For tests: containers spring up when named, a well-known API token works, sessions are free.
    package var dev = false
    package var limits = Limits()
    package var logLevel = Logger.Level.info
    package var sessionLifetimes = SessionLifetimes()
    /// How far the date of a signed request may be from now, in seconds (reference B §4.4).
    package var signatureWindow = 600.0
    package var guessing = GuessingSettings()
    package var registration = RegistrationSettings()
    /// How long a request may take to arrive, in seconds.
    package var requestTime = 60.0
    /// How long a client may take nothing of what it is sent, in seconds, before its connection ends.
    package var readingTime = 30.0
    /// Connections of one address; not counted behind a proxy.
    package var connectionsPerAddress = 1000
    package var inFlight = InFlightSettings()
    /// How long a connection may stay open with nothing asked, in seconds.
    package var idleTime = 75.0
    /// How many connections may be open, as far as descriptors allow.
    package var connections = 10_000
    /// How many environments' databases may be open, as far as descriptors allow.
    package var openEnvironments = 64
    /// How long the database of an environment that nobody uses stays open, in seconds.
    package var environmentIdleTime = 300.0
    /// How many descriptors the process may have.
    package var descriptors = 20_000
    /// How long an asset may take to arrive, in seconds.
    package var assetUploadTime = 900.0
    /// How long a link to an asset is good, in seconds; it is renewed before a quarter of that has passed.
    package var assetLinkLifetime = 86400.0
    /// How often assets that nothing refers to are dropped, in seconds.
    package var assetCollectionInterval = 3600.0
    package var push = PushSettings()
    package var webhooks = WebhookSettings()
    /// Told the port once the server listens.
    package var onListening: @Sendable (_ port: Int) async -> Void = { _ in }

    package init() {}
}
