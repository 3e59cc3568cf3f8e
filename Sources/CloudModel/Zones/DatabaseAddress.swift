/// The two environments of a container (reference A §1.1).
package enum ContainerEnvironment: String, CaseIterable, Codable, Sendable {
    case development, production
}

/// The databases of a container by their path names (reference A §1.1).
package enum DatabaseScope: String, Codable, CaseIterable, Sendable {
    case `public`, `private`, shared
}

/// A database of a container's environment, from a caller's point of view.
package enum DatabaseAddress: Hashable, Sendable {
    case `public`
    /// The database of the user with this record name.
    case `private`(owner: String)
    /// The database of records shared with the user of this record name.
    case shared(with: String)

    /// Resolves a request's zone in this database.
    ///
    /// - Throws: `ZONE_NOT_FOUND` or `BAD_REQUEST` for a zone that cannot be in the database.
    package func zone(_ name: ZoneName) throws(ServerError) -> ZoneID {
        switch self {
        case .public:
            guard name.name == ZoneID.defaultName else {
                throw .badRequest(
                    "the public database has no custom zones, so no zone '\(Naming.shown(name.name))'",
                    .place(.database))
            }
            return ZoneID(name: name.name, owner: ZoneID.publicOwner)
        case .private(let owner):
            guard name.owner == nil || owner.isExactly(name.owner) else {
                throw .badRequest("PrivateDB can't be used to access another user's zone", .place(.database))
            }
            return ZoneID(name: name.name, owner: owner)
        case .shared(let participant):
            // A shared database has no default zone, and no zone of its own participant.
            guard let owner = name.owner, !owner.isExactly(participant), owner != ZoneID.publicOwner,
                name.name != ZoneID.defaultName
            else { throw ServerError(.zoneNotFound, "Zone not found", .missing(.zone)) }
            return ZoneID(name: name.name, owner: owner)
        }
    }
}
