public import Foundation

/// An app's container: its databases and the signed-in user.
public final class CKContainer: Sendable {
    let wire: WireClient

    public init(_ configuration: CumulusConfiguration) {
        wire = WireClient(configuration)
    }

    /// The container configured by ``CumulusConfiguration/configure(_:)``.
    public static func `default`() -> CKContainer {
        guard let container = CumulusConfiguration.container else {
            preconditionFailure("Call CumulusConfiguration.configure before CKContainer.default().")
        }
        return container
    }

    public var configuration: CumulusConfiguration { wire.settings }
    public var containerIdentifier: String? { wire.settings.identifier }

    public var publicCloudDatabase: CKDatabase { database(with: .public) }
    public var privateCloudDatabase: CKDatabase { database(with: .private) }
    public var sharedCloudDatabase: CKDatabase { database(with: .shared) }

    public func database(with scope: CKDatabase.Scope) -> CKDatabase { CKDatabase(self, scope) }
}

/// The status of the user's account on this device.
public enum CKAccountStatus: Int, Sendable {
    case couldNotDetermine = 0
    case available = 1
    case restricted = 2
    case noAccount = 3
    case temporarilyUnavailable = 4
}

extension Notification.Name {
    /// Posted after sign-in and sign-out; the object is the container.
    public static let CKAccountChanged = Notification.Name("CKAccountChanged")
}
