package import CloudModel

/// Shares of an environment.
package protocol ShareStore: Sendable {
    /// The share of a short GUID or a one-time link's token, as `viewer` sees it (reference B §9.6). A nil viewer is anonymous.
    ///
    /// - Throws: `NOT_FOUND` if the viewer may not know of the share, `ACCESS_DENIED` if the viewer may know of it but not
    ///   read it.
    func share(_ handle: String, as viewer: Person?) async throws -> ShareMetadata

    /// Like `share(_:as:)`, for a person who may want to join: the owner's page settings apply.
    ///
    /// - Throws: the errors of ``share(_:as:)``; `NOT_FOUND` also if the page is closed, expired or has a password;
    ///   `ACCESS_DENIED` if it shows selected records and the person is not invited by name.
    func resolveShare(_ handle: String, as person: Person) async throws -> ShareMetadata

    /// Makes a person a member of a share (reference B §9.7). A call by the owner or a member changes nothing.
    ///
    /// - Parameters:
    ///   - knowsPassword: whether the person has entered the password of the share's page.
    ///   - clientID: the client's own name; this client is not notified.
    /// - Throws: the errors of ``resolveShare(_:as:)``.
    func acceptShare(
        _ handle: String, as person: Person, knowsPassword: Bool, clientID: String?, limits: Limits
    ) async throws -> ShareMetadata

    /// Notes a person's request for access (reference B §9.10).
    ///
    /// - Throws: `NOT_FOUND` if the person may not know of the share, or if its page is closed, expired or has a password.
    func requestAccess(toShare handle: String, as person: Person, limits: Limits) async throws

    /// Stops a share for its owner, or leaves it for a member (reference B §9.9).
    ///
    /// - Parameter revealRefusal: the error to throw if the shared records would become visible through another share; nil
    ///   for callers who may read the records.
    /// - Throws: `NOT_FOUND` for people who are neither owner nor member.
    func endShare(_ handle: String, as person: Person, limits: Limits, revealRefusal: ServerError?) async throws
}

extension ShareStore {
    /// Stops or leaves a share, for a caller who may read its records.
    package func endShare(_ handle: String, as person: Person, limits: Limits) async throws {
        try await endShare(handle, as: person, limits: limits, revealRefusal: nil)
    }
}
