import CloudModel
import CloudStore

/// The content of a share, as one visitor sees it.
struct SharedTree: Sendable {
    let metadata: ShareMetadata
    /// The short GUID, or the token of a one-time link, the visitor came with.
    let handle: String
    let viewer: Person?
    let store: any EnvironmentStore
    let share: PageRecord
    /// Nil for a zone that is shared as a whole.
    let root: PageRecord?

    init(_ metadata: ShareMetadata, handle: String, viewer: Person?, store: any EnvironmentStore) throws {
        self.metadata = metadata
        self.handle = handle
        self.viewer = viewer
        self.store = store
        share = try PageRecord(metadata.share)
        root = try metadata.root.map { try PageRecord($0) }
    }

    /// True if anybody with the link sees the share.
    var isForAnybody: Bool { metadata.publicPermission != .none }

    var title: String? {
        share.field("cloudkit.title")?.value.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The owner's name, if they have told one; never their address.
    var ownerName: String? { Self.name(of: metadata.owner) }

    /// In the order in which they were made.
    ///
    /// - Parameter marker: where the part before ended; text that is none begins anew.
    func records(
        _ choice: ShareChoice, after marker: String?, limit: Int
    ) async throws -> ([PageRecord], String?) {
        let page = try await store.shareRecords(
            handle, as: viewer, choice, after: marker.flatMap { Int64($0) } ?? 0, limit: limit)
        let records = try page.records.map { try PageRecord($0) }
        return (records.filter { !$0.recordName.isExactly(root?.recordName) }, page.next.map { String($0) })
    }

    func record(_ name: String) async throws -> PageRecord? {
        try await store.shareRecord(name, in: handle, as: viewer).map { try PageRecord($0) }
    }

    static func name(of participant: Participant) -> String? {
        let names = participant.identity.names
        let name = [names.given, names.family].compactMap(\.self).joined(separator: " ")
        return name.isEmpty ? nil : name
    }
}
