package import CloudModel

/// Owners' settings for pages.
package protocol PageSettingsStore: Sendable {
    /// The settings of `owner` for the page with this id; nil if there are none.
    func link(_ id: String, owner: String) async throws -> PageSettings?

    /// Saves settings, replacing earlier settings of the page.
    func save(_ link: PageSettings) async throws

    /// Deletes the settings of `owner` for the page with this id.
    func deleteLink(_ id: String, owner: String) async throws

    /// Settings of pages that have expired by `now` and whose contents are to be deleted, earliest expiry first.
    ///
    /// - Parameter skipping: the number of settings to skip.
    func dueLinks(at now: Timestamp, skipping: Int, limit: Int) async throws -> [PageSettings]

    /// The earliest expiry of a page whose contents are to be deleted; nil if there is none.
    func firstDueLink() async throws -> Timestamp?
}
