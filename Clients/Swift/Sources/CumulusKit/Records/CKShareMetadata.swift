public import Foundation

extension CKShare {
    /// The target of a share link, as seen by the signed-in user.
    public struct Metadata: Sendable {
        public let url: URL
        public let share: CKShare
        public let containerIdentifier: String
        public let ownerIdentity: CKUserIdentity
        public let participantRole: ParticipantRole
        public let participantStatus: ParticipantAcceptanceStatus
        public let participantPermission: ParticipantPermission
        /// The shared record's ID; nil for a shared zone.
        public let hierarchicalRootRecordID: CKRecord.ID?
        public let rootRecord: CKRecord?
    }
}

extension CKContainer {
    public func shareMetadata(for url: URL) async throws -> CKShare.Metadata {
        try await one(of: shareMetadatas(for: [url]), url)
    }

    public func shareMetadatas(for urls: [URL]) async throws -> [URL: Result<CKShare.Metadata, any Error>] {
        try await open("resolve", urls)
    }

    /// Joins the link's share; its zone then appears in the shared database.
    @discardableResult
    public func accept(_ metadata: CKShare.Metadata) async throws -> CKShare {
        try await one(of: open("accept", [metadata.url]), metadata.url).share
    }

    private func one<T>(of results: [URL: Result<T, any Error>], _ url: URL) throws -> T {
        guard let result = results[url] else { throw CKError.unexpected("a result") }
        return try result.get()
    }

    private func open(_ action: String, _ urls: [URL]) async throws -> [URL: Result<CKShare.Metadata, any Error>] {
        let guids = urls.map { JSON.object(["value": .string($0.lastPathComponent)]) }
        let answer = try await wire.post("public/records/\(action)", ["shortGUIDs": .array(guids)]).body
        guard let results = answer["results"]?.array, results.count == urls.count else {
            throw CKError.unexpected("a result for each link")
        }
        return Dictionary(
            zip(urls, results).map { url, json in (url, Result { try metadata(json, url) }) },
            uniquingKeysWith: { $1 })
    }

    private func metadata(_ json: JSON, _ url: URL) throws -> CKShare.Metadata {
        if json["serverErrorCode"] != nil { throw CKError(wire: json) }
        let isMine = json["databaseScope"]?.string == "PRIVATE"
        let database = database(with: isMine ? .private : .shared)
        guard let zone = CKRecordZone.ID(wire: json["zoneID"], in: database.databaseScope), let wire = json["share"],
            let share = CKRecord.received(wire, zone: zone, in: database) as? CKShare
        else { throw CKError.unexpected("a share") }
        return CKShare.Metadata(
            url: url, share: share, containerIdentifier: json["containerIdentifier"]?.string ?? "",
            ownerIdentity: CKUserIdentity(wire: json["ownerIdentity"] ?? .null),
            participantRole: (json["participantType"]?.string).flatMap(CKShare.ParticipantRole.init) ?? .unknown,
            participantStatus: (json["participantStatus"]?.string)
                .flatMap(CKShare.ParticipantAcceptanceStatus.init) ?? .unknown,
            participantPermission: (json["participantPermission"]?.string)
                .flatMap(CKShare.ParticipantPermission.init) ?? .unknown,
            hierarchicalRootRecordID: (json["rootRecordName"]?.string).map { .init(recordName: $0, zoneID: zone) },
            rootRecord: json["rootRecord"].flatMap { CKRecord.received($0, zone: zone, in: database) })
    }
}
