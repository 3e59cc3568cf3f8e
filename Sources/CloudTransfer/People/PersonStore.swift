package import CloudModel
package import CloudStore

/// A person's data in an environment.
package struct PersonStore: Sendable {
    let store: EnvironmentStore

    private var stored: StoredEnvironment { store.stored }

    /// Measures a person's data in this environment.
    package func footprint(of user: String) async throws -> PersonFootprint {
        try await stored.reads.read { db in try PersonTables.footprint(of: user, db) }
    }

    /// Reads a chunk of a list of a person's data in this environment.
    package func lines(of list: PersonList, user: String, from place: PersonPlace) async throws -> PersonLines {
        try await stored.reads.read { db in try list.lines(user: user, from: place, db) }
    }

    /// Removes a part of a person's data in this environment. A repeated call changes nothing.
    package func remove(_ part: PersonPart, of user: String, limits: Limits) async throws {
        switch part {
        case .memberships: try await leaveAll(user, limits)
        case .zones: try await removeZones(of: user, limits)
        case .belongings: try await removeBelongings(of: user, limits)
        case .publicRecord: try await emptyPublicRecord(of: user, limits)
        }
    }

    /// Leaves each zone in a separate write, so that other requests' writes come in between.
    private func leaveAll(_ user: String, _ limits: Limits) async throws {
        for zone in try await store.zones.list(sharedWith: user).map(\.zone) {
            _ = try await store.shares.leave([zone], as: user, clientID: nil, limits: limits)
        }
    }

    private func removeZones(of user: String, _ limits: Limits) async throws {
        for zone in try await store.zones.list(owner: user).map(\.zone) where zone.isCustom {
            let result = try await store.zones.modify([.delete(zone)], by: Requester(user: user), limits: limits)
            // A zone deleted meanwhile is no error.
            if case .failure(let error)? = result.first, error.code != .zoneNotFound { throw error }
        }
        try await emptyDroppedZones()
    }

    /// Empties deleted zones of all owners.
    private func emptyDroppedZones() async throws {
        guard !DryRun.isOn else { return }
        while let pause = try await stored.writes.write(
            for: stored.ownContext,
            { try DroppedZones.step(WorkSlice($0.schema.pace), $0) ? $0.schema.pace.slice : nil })
        {
            try await Task.sleep(for: pause)
        }
    }

    private func removeBelongings(of user: String, _ limits: Limits) async throws {
        let context = WriteContext(Requester(user: user), now: stored.now(), limits: limits)
        try await stored.writes.write(for: context) { try PersonTables.removeBelongings(of: user, $0) }
        try await emptyDroppedZones()
        // The usage table has the counts of the previous write only after its commit.
        try await stored.writes.write(for: context) { try UsageTable.forgetEmpty(owner: user, $0.db) }
    }

    private func emptyPublicRecord(of user: String, _ limits: Limits) async throws {
        let known = try await store.records.lookup(
            LookupRequest(zone: UserRoles.zone, names: [user], caller: .operator))
        guard case .success? = known.first else { return }
        let result = try await store.records.modify(
            ModifyRequest(
                zone: UserRoles.zone, operations: [.success(try .emptying(user: user, limits: limits))],
                atomic: false, caller: .operator, growsSchema: false, limits: limits))
        if case .failed(_, let error)? = result.outcomes.first { throw error }
    }
}

extension EnvironmentStore {
    package var people: PersonStore { PersonStore(store: self) }
}

/// The parts of a person's data in an environment, in the order of their removal.
package enum PersonPart: CaseIterable, Sendable {
    /// Memberships in other users' shares.
    case memberships
    /// Custom zones with their shares; members are told of the deletion.
    case zones
    /// The default zone, subscriptions, devices with their queues, key-value data and page links.
    case belongings
    /// The fields of the person's record in the public database. The record stays, because records made by the person refer to
    /// it.
    case publicRecord
}

/// The amount of a person's data in an environment.
package struct PersonFootprint: Codable, Hashable, Sendable {
    /// Custom zones.
    package var zones = 0
    package var records = 0
    package var bytes = 0
    /// Bytes of assets, counted once for each record that holds the asset.
    package var assetBytes = 0
    /// Shares that the person owns, and the members of these shares.
    package var shares = 0
    package var shareMembers = 0
    /// Shares of other users in which the person is a member.
    package var memberships = 0
    package var subscriptions = 0
    package var devices = 0
    package var keys = 0

    package var isEmpty: Bool { self == PersonFootprint() }
}

extension RecordOperation {
    /// Removes all fields from a user's record in the public database.
    fileprivate static func emptying(user: String, limits: Limits) throws -> RecordOperation {
        let record = JSONObject([
            .init(key: "recordName", value: .string(user)), .init(key: "recordType", value: .string(RecordType.users)),
            .init(key: "fields", value: .object(JSONObject([]))),
        ])
        let operation = JSONValue.object(
            JSONObject([
                .init(key: "operationType", value: .string("forceReplace")),
                .init(key: "record", value: .object(record)),
            ]))
        switch try parse(operation, at: 0, defaults: Presentation(), limits: limits) {
        case .success(let operation): return operation
        case .failure(let refused): throw refused.error
        }
    }
}
