import Foundation

extension CKSyncEngine.State {
    /// The whole state, for the app to store.
    ///
    /// ``CKSyncEngine/StateFile`` appends changes since the previous state. Other encodings write the whole state: a version of
    /// each record in the database, and each pending change.
    public struct Serialization: Sendable {
        let container: String
        let environment: CumulusConfiguration.Environment
        let scope: CKDatabase.Scope
        var user: String?
        var databaseToken: CKServerChangeToken?
        var generation = 0
        private(set) var zones: [CKRecordZone.ID: Zone] = [:]
        /// The version of each record received or saved by the app.
        private(set) var known: [CKRecordZone.ID: [String: Known]] = [:]
        private(set) var databaseChanges: [CKSyncEngine.PendingDatabaseChange] = []
        private(set) var pending = CKSyncEngine.PendingChanges()
        /// Unanswered sent versions of each record, oldest first.
        private(set) var inFlight: [CKRecord.ID: [InFlight]] = [:]
        /// Changes since the previously delivered state.
        private(set) var recent: [Change] = []
        /// The number of changes recorded so far in this ``run``.
        private(set) var sequence = 0
        /// Identifies a sequence of states linked by their changes.
        var run = UUID()

        init(
            container: String, environment: CumulusConfiguration.Environment, scope: CKDatabase.Scope,
            user: String? = nil
        ) {
            self.container = container
            self.environment = environment
            self.scope = scope
            self.user = user
        }

        /// Applies a change and records it for the next delivered state.
        mutating func note(_ change: Change) {
            apply(change)
            recent.append(change)
            sequence += 1
        }

        /// Drops the changes of a delivered state.
        mutating func forget(changesBefore told: Int) {
            recent.removeFirst(max(0, recent.count - (sequence - told)))
        }

        mutating func apply(_ change: Change) {
            switch change {
            case .zone(let id, let zone):
                zones[id] = zone
                if zone == nil { known[id] = nil }
            case .known(let id, let name, let version): known[id, default: [:]][name] = version
            case .pending(let id, let item):
                if let item { pending.set(item) } else { pending.remove(id) }
            case .inFlight(let id, let versions): inFlight[id] = versions.isEmpty ? nil : versions
            case .database(let changes): databaseChanges = changes
            }
        }
    }

    /// A partial change of the state.
    enum Change: Sendable, Codable {
        /// Nil deletes the zone together with its known records.
        case zone(CKRecordZone.ID, Zone?)
        case known(CKRecordZone.ID, String, Known?)
        case pending(CKRecord.ID, CKSyncEngine.PendingChanges.Item?)
        case inFlight(CKRecord.ID, [InFlight])
        case database([CKSyncEngine.PendingDatabaseChange])
    }

    struct Zone: Sendable, Codable {
        var token: CKServerChangeToken?
        var needsFetch = true
        /// Counts complete re-reads of the zone.
        var round = 0
        var resync: Resync?
    }

    /// A zone being read again from the beginning.
    struct Resync: Sendable, Codable {
        var restoredTo: Date?
    }

    struct Known: Sendable, Codable {
        var version: String?
        /// The zone's round that last contained the record.
        var round: Int
    }

    /// A sent version of a record whose answer was lost; the engine recognizes its own write by this version.
    struct InFlight: Sendable, Codable {
        var generation: Int
        var fields: [String: JSON]
        var parent: String?
        var wasEdited: Bool
    }
}

extension CKSyncEngine.State.Serialization: Codable {
    private enum Key: String, CodingKey {
        case version, container, environment, scope, user, databaseToken, generation, zones, known, databaseChanges
        case pending, inFlight, recordChanges
    }

    /// The zones of format version 1, which contain the known records.
    private struct FormerZone: Codable {
        var token: CKServerChangeToken?
        var needsFetch = true
        var known: [String: String] = [:]
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        self.init(
            container: try values.decode(String.self, forKey: .container),
            environment: try values.decode(CumulusConfiguration.Environment.self, forKey: .environment),
            scope: try values.decode(CKDatabase.Scope.self, forKey: .scope),
            user: try values.decodeIfPresent(String.self, forKey: .user))
        databaseToken = try values.decodeIfPresent(CKServerChangeToken.self, forKey: .databaseToken)
        generation = try values.decode(Int.self, forKey: .generation)
        databaseChanges = try values.decode([CKSyncEngine.PendingDatabaseChange].self, forKey: .databaseChanges)
        inFlight = try values.decode([CKRecord.ID: [CKSyncEngine.State.InFlight]].self, forKey: .inFlight)
        switch try values.decode(Int.self, forKey: .version) {
        case 1:
            pending = try values.decode(CKSyncEngine.PendingChanges.self, forKey: .recordChanges)
            for (id, zone) in try values.decode([CKRecordZone.ID: FormerZone].self, forKey: .zones) {
                zones[id] = CKSyncEngine.State.Zone(token: zone.token, needsFetch: zone.needsFetch)
                known[id] = zone.known.mapValues { CKSyncEngine.State.Known(version: $0, round: 0) }
            }
        case 2:
            pending = try values.decode(CKSyncEngine.PendingChanges.self, forKey: .pending)
            zones = try values.decode([CKRecordZone.ID: CKSyncEngine.State.Zone].self, forKey: .zones)
            known = try values.decode([CKRecordZone.ID: [String: CKSyncEngine.State.Known]].self, forKey: .known)
        case let version:
            throw DecodingError.dataCorruptedError(
                forKey: .version, in: values, debugDescription: "The state is of version \(version); 1 and 2 are known."
            )
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(2, forKey: .version)
        try values.encode(container, forKey: .container)
        try values.encode(environment, forKey: .environment)
        try values.encode(scope, forKey: .scope)
        try values.encodeIfPresent(user, forKey: .user)
        try values.encodeIfPresent(databaseToken, forKey: .databaseToken)
        try values.encode(generation, forKey: .generation)
        try values.encode(zones, forKey: .zones)
        try values.encode(known, forKey: .known)
        try values.encode(databaseChanges, forKey: .databaseChanges)
        try values.encode(pending, forKey: .pending)
        try values.encode(inFlight, forKey: .inFlight)
    }
}
