package import CloudModel

/// Shares of an environment.
package struct ShareStore: Sendable {
    let stored: StoredEnvironment

    /// The share of a short GUID or a one-time link's token, as `viewer` sees it (reference B §9.6). A nil viewer is anonymous.
    ///
    /// - Throws: `NOT_FOUND` if the viewer may not know of the share, `ACCESS_DENIED` if the viewer may know of it but not
    ///   read it.
    package func find(_ handle: String, as viewer: Person?) async throws -> ShareMetadata {
        try await stored.reads.read(.small) { db in try ShareMetadata.find(handle, as: viewer, db) }
    }

    /// Like `find(_:as:)`, for a person who may want to join: the owner's page settings apply.
    ///
    /// - Throws: the errors of ``find(_:as:)``; `NOT_FOUND` also if the page is closed, expired or has a password;
    ///   `ACCESS_DENIED` if it shows selected records and the person is not invited by name.
    package func resolve(_ handle: String, as person: Person) async throws -> ShareMetadata {
        let gate = JoinGate(now: stored.now())
        return try await stored.reads.read(.small) { db in
            guard let (row, link) = try ShareTable.find(handle: handle, db) else { throw ShareState.notFound }
            try gate.check(row, token: link, for: person, db)
            return try ShareMetadata.find(handle, as: person, db)
        }
    }

    /// Makes a person a member of a share (reference B §9.7). A call by the owner or a member changes nothing.
    ///
    /// - Parameters:
    ///   - knowsPassword: whether the person has entered the password of the share's page.
    ///   - clientID: the client's own name; this client is not notified.
    /// - Throws: the errors of ``resolve(_:as:)``.
    package func accept(
        _ handle: String, as person: Person, knowsPassword: Bool, clientID: String?, limits: Limits
    ) async throws -> ShareMetadata {
        let desk = desk(person, clientID, limits, knowsPassword: knowsPassword)
        return try await stored.writes.write(for: desk.context) { try desk.accept(handle, $0) }
    }

    /// Notes a person's request for access (reference B §9.10).
    ///
    /// - Throws: `NOT_FOUND` if the person may not know of the share, or if its page is closed, expired or has a password.
    package func requestAccess(to handle: String, as person: Person, limits: Limits) async throws {
        let desk = desk(person, nil, limits)
        try await stored.writes.write(for: desk.context) { try desk.ask(handle, $0) }
    }

    /// Stops a share for its owner, or leaves it for a member (reference B §9.9).
    ///
    /// - Parameter revealRefusal: the error to throw if the shared records would become visible through another share; nil
    ///   for callers who may read the records.
    /// - Throws: `NOT_FOUND` for people who are neither owner nor member.
    package func end(
        _ handle: String, as person: Person, limits: Limits, revealRefusal: ServerError?
    ) async throws {
        let desk = desk(person, nil, limits)
        if try await stored.writes.write(for: desk.context, { try desk.decline(handle, $0) }) { return }
        guard let user = person.userRecordName else { throw ShareState.notFound }
        let (share, zone) = try await stored.reads.read(.small) { db in
            try ShareAdmission.ended(handle, by: person, db)
        }
        // For an owner or a leaving member, deleting the share record ends the share.
        let deletion = RecordOperation.deletion(of: share)
        let result = try await RecordStore(stored: stored).modify(
            ModifyRequest(
                zone: zone, operations: [.success(deletion)], atomic: true,
                caller: .user(recordName: user), growsSchema: false, limits: limits, revealRefusal: revealRefusal))
        if case .failed(_, let error)? = result.outcomes.first { throw error }
    }

    /// Removes a user from all shares of these zones of others (reference B §9.5).
    ///
    /// - Parameter clientID: the requesting client's own name; the client is not notified.
    /// - Returns: for each zone, whether the user was a member of any share.
    package func leave(
        _ zones: [ZoneID], as user: String, clientID: String?, limits: Limits
    ) async throws -> [Bool] {
        let desk = desk(Person(userRecordName: user), clientID, limits)
        return try await stored.writes.write(for: desk.context) { transaction in
            try zones.map { try desk.leave($0, transaction) }
        }
    }

    private func desk(
        _ person: Person, _ clientID: String?, _ limits: Limits, knowsPassword: Bool = false
    ) -> ShareAdmission {
        ShareAdmission(
            person: person, clientID: clientID, now: stored.now(), limits: limits, shortGUIDs: stored.shortGUIDs,
            knowsPassword: knowsPassword)
    }

    /// Stops or leaves a share, for a caller who may read its records.
    package func end(_ handle: String, as person: Person, limits: Limits) async throws {
        try await end(handle, as: person, limits: limits, revealRefusal: nil)
    }
}
