package import CloudModel

extension StoredEnvironment {
    package func footprint(of user: String) async throws -> PersonFootprint {
        try await reads.read { db in try PersonTables.footprint(of: user, db) }
    }

    package func lines(of list: PersonList, user: String, from place: PersonPlace) async throws -> PersonLines {
        try await reads.read { db in try list.lines(user: user, from: place, db) }
    }

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
        for zone in try await zones(sharedWith: user).map(\.zone) {
            _ = try await leave([zone], as: user, clientID: nil, limits: limits)
        }
    }

    private func removeZones(of user: String, _ limits: Limits) async throws {
        for zone in try await zones(owner: user).map(\.zone) where zone.isCustom {
            let result = try await modify([.delete(zone)], by: Requester(user: user), limits: limits)
            // A zone deleted meanwhile is no error.
            if case .failure(let error)? = result.first, error.code != .zoneNotFound { throw error }
        }
        try await emptyDroppedZones()
    }

    /// Empties deleted zones of all owners.
    private func emptyDroppedZones() async throws {
        guard !DryRun.isOn else { return }
        while let pause = try await writes.write(
            for: ownContext, { try DroppedZones.step(WorkSlice($0.pace), $0) ? $0.pace.slice : nil })
        {
            try await Task.sleep(for: pause)
        }
    }

    private func removeBelongings(of user: String, _ limits: Limits) async throws {
        let context = WriteContext(Requester(user: user), now: now(), limits: limits)
        try await writes.write(for: context) { try PersonTables.removeBelongings(of: user, $0) }
        try await emptyDroppedZones()
        // The usage table has the counts of the previous write only after its commit.
        try await writes.write(for: context) { try UsageTable.forgetEmpty(owner: user, $0.db) }
    }

    private func emptyPublicRecord(of user: String, _ limits: Limits) async throws {
        let known = try await lookup(LookupRequest(zone: UserRoles.zone, names: [user], caller: .operator))
        guard case .success? = known.first else { return }
        let result = try await modify(
            ModifyRequest(
                zone: UserRoles.zone, operations: [.success(try .emptying(user: user, limits: limits))],
                atomic: false, caller: .operator, growsSchema: false, limits: limits))
        if case .failed(_, let error)? = result.outcomes.first { throw error }
    }
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
