package import CloudModel

/// A person's data in an environment.
package protocol PersonStore: Sendable {
    /// Measures a person's data in this environment.
    func footprint(of user: String) async throws -> PersonFootprint

    /// Removes a part of a person's data in this environment. A repeated call changes nothing.
    func remove(_ part: PersonPart, of user: String, limits: Limits) async throws

    /// Reads a chunk of a list of a person's data in this environment.
    func lines(of list: PersonList, user: String, from place: PersonPlace) async throws -> PersonLines
}

/// The parts of a person's data in an environment, in the order of their removal.
package enum PersonPart: CaseIterable, Sendable {
    /// Memberships in other users' shares.
    case memberships
    /// Custom zones with their shares; members are told of the deletion.
    case zones
    /// The default zone, subscriptions, devices with their queues, key-value data and page links.
    case belongings
    /// The fields of the person's record in the public database. The record stays, because records made by the person refer to
    /// it.
    case publicRecord
}

/// The amount of a person's data in an environment.
package struct PersonFootprint: Codable, Hashable, Sendable {
    /// Custom zones.
    package var zones = 0
    package var records = 0
    package var bytes = 0
    /// Bytes of assets, counted once for each record that holds the asset.
    package var assetBytes = 0
    /// Shares that the person owns, and the members of these shares.
    package var shares = 0
    package var shareMembers = 0
    /// Shares of other users in which the person is a member.
    package var memberships = 0
    package var subscriptions = 0
    package var devices = 0
    package var keys = 0

    package var isEmpty: Bool { self == PersonFootprint() }
}
