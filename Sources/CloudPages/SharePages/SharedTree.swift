package import CloudModel
package import CloudStore

/// A share's content as seen by one visitor.
package struct SharedTree: Sendable {
    package let metadata: ShareMetadata
    /// The visitor's short GUID or one-time link token.
    package let handle: String
    package let viewer: Person?
    package let store: EnvironmentStore
    package let share: PageRecord
    /// Nil for a shared zone.
    package private(set) var root: PageRecord?

    package init(_ metadata: ShareMetadata, handle: String, viewer: Person?, store: EnvironmentStore) throws {
        self.metadata = metadata
        self.handle = handle
        self.viewer = viewer
        self.store = store
        share = try PageRecord(metadata.share)
        root = try metadata.root.map { try PageRecord($0) }
    }

    /// The content without the root's fields of places.
    func withoutPlaces() -> SharedTree {
        var tree = self
        tree.root = root?.withoutPlaces()
        return tree
    }

    /// True if the visitor came by a one-time link.
    var isOneTime: Bool { !handle.isExactly(metadata.shortGUID) }

    /// True if the link alone grants access.
    var isForAnybody: Bool { metadata.publicPermission != .none }

    package var title: String? {
        share.field("cloudkit.title")?.value.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The owner's name if set; never an email address.
    var ownerName: String? { Self.name(of: metadata.owner) }

    /// Records in order of creation.
    ///
    /// - Parameter marker: the end of the previous page; a malformed marker starts at the beginning.
    package func records(
        _ choice: ShareChoice, after marker: String?, limit: Int
    ) async throws -> ([PageRecord], String?) {
        let page = try await store.sharePages.records(
            handle, as: viewer, choice, after: marker.flatMap { Int64($0) } ?? 0, limit: limit)
        let records = try page.records.map { try PageRecord($0) }
        return (records.filter { !$0.recordName.isExactly(root?.recordName) }, page.next.map { String($0) })
    }

    package func record(_ name: String) async throws -> PageRecord? {
        try await store.sharePages.record(name, in: handle, as: viewer).map { try PageRecord($0) }
    }

    package static func name(of participant: Participant) -> String? {
        let names = participant.identity.names
        let name = [names.given, names.family].compactMap(\.self).joined(separator: " ")
        return name.isEmpty ? nil : name
    }
}
