package import CloudModel

/// What pages behind links need of a record store: shares by their handles, and what owners settled about pages.
package protocol SharePageStore: Sendable {
    /// The share behind a short GUID or the token of a one-time link, whoever may see it; nil when there is none.
    func ownShare(_ handle: String) async throws -> OwnShare?

    /// The shares of an owner, the oldest first.
    ///
    /// - Parameter position: of the last one of the page before.
    func ownShares(owner: String, after position: Int64, limit: Int) async throws -> [OwnShare]

    /// One record that is visible through a share, its stored form; nil when it is not.
    ///
    /// - Throws: as ``share(_:as:)`` does.
    func shareRecord(_ name: String, in handle: String, as viewer: Person?) async throws -> [UInt8]?

    /// What `owner` has settled about the page with this id; nil when nothing.
    func link(_ id: String, owner: String) async throws -> PageLink?

    /// Whether what `owner` settled about the page of a share lets strangers in who hold no more than its id: not
    /// when it has expired, was taken down, or has a password, which is asked for on the page.
    func letsStrangersIn(_ shortGUID: String, owner: String) async throws -> Bool

    /// Settles it, in place of what was settled before.
    func save(_ link: PageLink) async throws

    /// Forgets what `owner` settled about the page with this id.
    func deleteLink(_ id: String, owner: String) async throws

    /// Links that have expired by `now` (milliseconds since 1970-01-01Z) and ask for deletion, the oldest first.
    ///
    /// - Parameter skipping: how many of the oldest to leave out.
    func dueLinks(at now: Int64, skipping: Int, limit: Int) async throws -> [PageLink]
}
