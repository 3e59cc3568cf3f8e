package import CloudModel

/// The owners' settings for pages.
package protocol PageSettingsStore: Sendable {
    /// The settings of `owner` for the page with this id; nil when there are none.
    func link(_ id: String, owner: String) async throws -> PageSettings?

    /// Settles it, in place of what was settled before.
    func save(_ link: PageSettings) async throws

    /// Forgets what `owner` settled about the page with this id.
    func deleteLink(_ id: String, owner: String) async throws

    /// Links that have expired by `now` and ask for deletion, the oldest first.
    ///
    /// - Parameter skipping: how many of the oldest to leave out.
    func dueLinks(at now: Timestamp, skipping: Int, limit: Int) async throws -> [PageSettings]

    /// The time when the next of these expires; nil when none will.
    func firstDueLink() async throws -> Timestamp?
}
