package import CloudModel

/// The shares of an environment.
package protocol ShareStore: Sendable {
    /// The share that a short GUID, or the token of a one-time link, leads to, as a person or nobody in particular sees
    /// it now (reference B §9.6).
    ///
    /// - Throws: `NOT_FOUND` where the viewer may not know of the share, `ACCESS_DENIED` where they may know and no more.
    func share(_ handle: String, as viewer: Person?) async throws -> ShareMetadata

    /// The same for somebody who may want to join: what the owner settled about the link holds for them.
    ///
    /// - Throws: as ``share(_:as:)`` does, `NOT_FOUND` also where the link is closed, expired or has a password, and
    ///   `ACCESS_DENIED` where it shows chosen records and the person is not invited by name.
    func resolveShare(_ handle: String, as person: Person) async throws -> ShareMetadata

    /// Makes a person a member of a share (reference B §9.7). Its owner, and who is one already, change nothing.
    ///
    /// - Parameters:
    ///   - knowsPassword: whether they have given the password of the share's page.
    ///   - clientID: what the client they do it with calls itself; it is not told.
    /// - Throws: as ``resolveShare(_:as:)`` does.
    func acceptShare(
        _ handle: String, as person: Person, knowsPassword: Bool, clientID: String?, limits: Limits
    ) async throws -> ShareMetadata

    /// Notes that a person asks to be let in (reference B §9.10).
    ///
    /// - Throws: `NOT_FOUND` where the person may not know of the share, and where its link is closed, expired or has a
    ///   password.
    func requestAccess(toShare handle: String, as person: Person, limits: Limits) async throws

    /// Stops a share when its owner says so, and leaves it when a member does (reference B §9.9).
    ///
    /// - Parameter revealRefusal: thrown where what was shared would come into another share; nil for people who may read
    ///   it.
    /// - Throws: `NOT_FOUND` for everybody else.
    func endShare(_ handle: String, as person: Person, limits: Limits, revealRefusal: ServerError?) async throws
}

extension ShareStore {
    /// Stops or leaves a share for a person who may read what is in it.
    package func endShare(_ handle: String, as person: Person, limits: Limits) async throws {
        try await endShare(handle, as: person, limits: limits, revealRefusal: nil)
    }
}
