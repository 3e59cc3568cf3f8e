package import CloudAccounts
package import CloudHTTP
package import CloudWire
package import CloudPages
package import CloudEmulator
package import Logging

/// The validated configuration of a server: the settings of its parts, each readable by its own name, and its own.
@dynamicMemberLookup
package struct ServerConfiguration: Sendable {
    package var http = HTTPSettings()
    package var wire = WireSettings()
    package var site = SiteSettings()
    package var emulator = Emulator(routes: RouteRow.all.map(\.info))

    package var logLevel = Logger.Level.info
    package var sessionLifetimes = SessionLifetimes()
    /// Interval of saving the last use of sign-ins.
    package var usesInterval = Duration.seconds(10)
    /// Maximum of open connections, reduced to fit ``descriptors``.
    package var connections = 10_000
    /// Maximum of environments with open databases, reduced to fit ``descriptors``.
    package var openEnvironments = 64
    /// Time until an unused environment's database is closed.
    package var environmentIdleTime = Duration.seconds(300)
    /// The process's file descriptor limit.
    package var descriptors = 20_000
    /// Interval of deleting unreferenced assets.
    package var assetCollectionInterval = Duration.seconds(3600)
    /// Whether previews are made before anybody asks for them.
    package var preparesPreviews = true
    /// Called with the port once the server listens.
    package var onListening: @Sendable (_ port: Int) async -> Void = { _ in }

    package init() {}

    /// True if the console is available: on a development server, or enabled for operators.
    package var hasConsole: Bool { http.dev || site.consoleIsEnabled }
}

extension ServerConfiguration {
    package subscript<Value>(dynamicMember path: WritableKeyPath<HTTPSettings, Value>) -> Value {
        get { http[keyPath: path] }
        set { http[keyPath: path] = newValue }
    }

    package subscript<Value>(dynamicMember path: WritableKeyPath<WireSettings, Value>) -> Value {
        get { wire[keyPath: path] }
        set { wire[keyPath: path] = newValue }
    }

    package subscript<Value>(dynamicMember path: WritableKeyPath<SiteSettings, Value>) -> Value {
        get { site[keyPath: path] }
        set { site[keyPath: path] = newValue }
    }

    package subscript<Value>(dynamicMember path: WritableKeyPath<Emulator, Value>) -> Value {
        get { emulator[keyPath: path] }
        set { emulator[keyPath: path] = newValue }
    }
}
