/// The decision that refused a request or an operation, as the last step of its trail.
///
/// Contains names known to the server, numbers and settings, but no other client data, since causes are logged.
package enum Cause: Hashable, Sendable {
    /// The request is malformed; the reason names the member.
    case input
    /// A path, method or header `Host` that the server does not answer.
    case address
    case credentials(CredentialsFault)
    case place(TargetFault)
    case schema(SchemaFault)
    case permission(PermissionCheck)
    case share(ShareFault)
    case index(IndexFault)
    case conflict(ConflictCheck)
    /// The request names a nonexistent object.
    case missing(Thing)
    /// The request would create an existing object.
    case taken(Thing)
    /// A broken reference, or a reference that protects its target.
    case reference(ReferenceFault)
    /// An invalid sync token or continuation marker.
    case position(PositionFault)
    case limit(LimitReached)
    /// Another operation of the batch failed: the index of the first failure, if known.
    case atomic(culprit: Int?)
    case server(ServerTrouble)

    /// The parts of a request's address.
    package enum TargetFault: String, CaseIterable, Sendable {
        case container, environment, database
    }

    package enum Thing: String, CaseIterable, Sendable {
        case record, zone, user, role, subscription, asset, container, session, file, page, webhook, token, key,
            request, share, snapshot, backup, provider
    }

    package enum ReferenceFault: String, CaseIterable, Sendable {
        case target = "the target of the reference is not there"
        case holder = "another record refers to it"
    }

    package enum PositionFault: String, CaseIterable, Sendable {
        case unknown = "the token or marker is not of this zone, query or list"
        case lost = "the token is from a time that a restore has undone"
    }

    /// Faults on the server's side.
    package enum ServerTrouble: String, CaseIterable, Sendable {
        case disk = "the disk or a database file refuses"
        case database = "the database cannot be used"
        case assetStore = "the asset store cannot be used"
        case stopping = "the server is stopping"
        case mail = "a message could not be sent"
        case fault = "a fault of the server"
        case injected = "a fault that a test has asked for"
    }
}
