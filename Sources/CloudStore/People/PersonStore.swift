package import CloudModel

/// The data of one person in an environment, as a whole.
package protocol PersonStore: Sendable {
    /// Counts what a person has here.
    func footprint(of user: String) async throws -> PersonFootprint

    /// Removes a part of what a person has here. Once it is gone, asking again changes nothing.
    func remove(_ part: PersonPart, of user: String, limits: Limits) async throws

    /// Reads a piece of a list of what a person has here.
    func lines(of list: PersonList, user: String, from place: PersonPlace) async throws -> PersonLines
}

/// The parts of a person's data in an environment, in the order of their removal.
package enum PersonPart: CaseIterable, Sendable {
    /// The shares of others that they are in.
    case memberships
    /// The zones they made, with the shares in them; members see these go.
    case zones
    /// The default zone, subscriptions, devices with their queues, key-value data and page links.
    case belongings
    /// The fields of their record in the public database. Its name stays: what they made there refers to it.
    case publicRecord
}

/// Numbers of what a person has in an environment.
package struct PersonFootprint: Codable, Hashable, Sendable {
    /// Beside the default zone.
    package var zones = 0
    package var records = 0
    package var bytes = 0
    /// Of the assets that their records hold, once for each record.
    package var assetBytes = 0
    /// Shares they own, and the people in these.
    package var shares = 0
    package var shareMembers = 0
    /// Shares of others they are in.
    package var memberships = 0
    package var subscriptions = 0
    package var devices = 0
    package var keys = 0

    package var isEmpty: Bool { self == PersonFootprint() }
}
