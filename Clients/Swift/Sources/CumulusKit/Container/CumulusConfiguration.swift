import Foundation

/// A container's address and credentials, and the transport.
public struct CumulusConfiguration: Sendable {
    public enum Environment: String, Sendable, Codable {
        case development
        case production
    }

    public var identifier: String
    public var environment: Environment
    /// Scheme, host and port, without a path.
    public var origin: String
    public var apiToken: String
    public var credentials: any CredentialStore
    /// This install's name, which keeps notifications of its own changes away.
    public var clientID: String?
    public var transport: any HTTPTransport
    public var retries = CKRetryPolicy()

    public init(
        identifier: String, environment: Environment = .development, origin: String, apiToken: String,
        credentials: any CredentialStore = MemoryCredentialStore(), clientID: String? = nil,
        transport: any HTTPTransport = URLSessionTransport()
    ) {
        self.identifier = identifier
        self.environment = environment
        self.origin = origin.hasSuffix("/") ? String(origin.dropLast()) : origin
        self.apiToken = apiToken
        self.credentials = credentials
        self.clientID = clientID
        self.transport = transport
    }

    private static let shared = Mutex<CKContainer?>(nil)

    /// Configures the container that ``CKContainer/default()`` returns.
    public static func configure(_ configuration: CumulusConfiguration) {
        shared.withLock { $0 = CKContainer(configuration) }
    }

    static var container: CKContainer? { shared.withLock { $0 } }
}
