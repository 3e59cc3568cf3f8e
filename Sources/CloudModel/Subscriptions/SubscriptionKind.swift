/// The object of a subscription (reference B §6.1).
package enum SubscriptionKind: Int64, Hashable, Sendable {
    /// Records that match a query.
    case query = 1
    /// All changes in a zone.
    case zone = 2
    /// All changes in a database.
    case database = 3
}

extension SubscriptionKind {
    /// Refuses subscriptions of this kind in some databases and zones; nil if allowed (reference B §6.1).
    ///
    /// - Parameter zone: nil for all zones.
    package func refusal(in scope: DatabaseScope, zone: ZoneID?) -> ServerError? {
        switch (self, scope) {
        case (.query, .public), (.query, .private): nil
        case (.query, .shared):
            .badRequest(
                "query subscriptions are for the public and private databases, not for the shared one",
                .place(.database))
        case (.zone, .private):
            zone?.isCustom == true
                ? nil
                : .badRequest(
                    "zone subscriptions are for custom zones, not for '\(known: ZoneID.defaultName)'", .place(.database)
                )
        case (.zone, _):
            .badRequest(
                "zone subscriptions are for the private database, not for the \(known: scope.rawValue) one",
                .place(.database))
        case (.database, .private), (.database, .shared): nil
        case (.database, .public):
            .badRequest(
                "database subscriptions are for the private and shared databases, not for the public one",
                .place(.database))
        }
    }
}

/// Kinds of changes that trigger a query subscription.
package struct FiringReasons: OptionSet, Hashable, Sendable {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }

    package static let create = FiringReasons(rawValue: 1)
    package static let update = FiringReasons(rawValue: 2)
    package static let delete = FiringReasons(rawValue: 4)

    /// Parses a wire name; nil for unknown names.
    package init?(name: String) {
        switch name {
        case "create": self = .create
        case "update": self = .update
        case "delete": self = .delete
        default: return nil
        }
    }
}

extension DatabaseScope {
    /// The database's number in notifications (reference B §7.5).
    package var number: Int64 {
        switch self {
        case .private: 1
        case .public: 2
        case .shared: 3
        }
    }
}
