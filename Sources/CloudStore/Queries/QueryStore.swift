import CloudModel

/// Queries over the records of an environment.
package struct QueryStore: Sendable {
    let stored: StoredEnvironment

    /// Runs records/query; returns one page (reference A §5).
    package func read(_ request: QueryRequest) -> StoreRead<QueryPage> {
        StoreRead(
            atOnce: { [self] in try findAtOnce(request, $0) }, waiting: { [self] in try await page(of: request) })
    }

    package func query(_ request: QueryRequest) async throws -> QueryPage { try await read(request).answer() }

    /// The page if the query's indexes exist; nil if they are missing or the query takes long.
    private func findAtOnce(_ request: QueryRequest, _ trace: RequestTrace?) throws -> QueryPage? {
        try stored.reads.readAtOnce(trace, request.allowance) { db in
            var lacksIndex = false
            // Before the snapshot, which begins with the catalog.
            let roles = stored.roleMemory.reader()
            do {
                let page = try request.run(
                    db, catalog: stored.published.current(db), roles: roles, secret: stored.tokens.secret,
                    outlines: stored.outlines, scans: false, onMissing: { _ in lacksIndex = true })
                if !lacksIndex { return page }
            } catch is LacksIndex {}
            throw ReadGuard.TakesLong()
        }
    }

    private func page(of request: QueryRequest) async throws -> QueryPage {
        // A held snapshot would never see the index, and a dry run creates none.
        guard !DryRun.isOn, HeldSnapshot.of(stored.reads) == nil else { return try await find(request, scans: true) }
        let notes = request.trace?.notes
        do {
            return try await find(request, scans: false)
        } catch let lack as LacksIndex {
            return try await query(request, lacking: lack, notes)
        }
    }

    /// Creates the indexes; until the indexes are built, queries take turns to scan.
    ///
    /// - Throws: `TRY_AGAIN_LATER` if neither the turn nor the index came in time.
    private func query(
        _ request: QueryRequest, lacking lack: LacksIndex, _ notes: RequestTrace.Notes?
    ) async throws -> QueryPage {
        var lack = lack
        let deadline = ContinuousClock.now + stored.pace.patience
        await make(lack.missing)
        repeat {
            if let notes { request.trace?.restore(notes) }
            let seen = stored.scans.dismissed
            do { return try await find(request, scans: false) } catch let still as LacksIndex { lack = still }
            let page = try await stored.scans.run(
                type: lack.type, for: ReadClient.current?.name ?? "", until: deadline, since: seen
            ) {
                if let notes { request.trace?.restore(notes) }
                return try await find(request, scans: true)
            }
            if let page { return page }
        } while .now < deadline
        throw try await stored.reads.read(.small) { [lack] db in try IndexBuilds.refusal(lack, db) }
    }

    /// - Throws: ``LacksIndex`` instead of a scan, unless `scans` is true.
    private func find(_ request: QueryRequest, scans: Bool) async throws -> QueryPage {
        let (published, roles, outlines) = (stored.published, stored.roleMemory.reader(), stored.outlines)
        let tokens = stored.tokens
        let note = MissingNote()
        do {
            let page = try await stored.reads.read(undo: request.allowance.undo()) { db in
                try request.run(
                    db, catalog: published.current(db), roles: roles, secret: tokens.secret, outlines: outlines,
                    scans: scans, onMissing: note.set)
            }
            await make(note.missing)
            return page
        } catch {
            // A query that exceeded its budget may succeed with the index.
            await make(note.missing)
            throw error
        }
    }

    /// Creates indexes for a query. Errors are ignored: the next query tries again.
    private func make(_ missing: MissingIndexes?) async {
        guard let missing, !missing.isEmpty, !DryRun.isOn else { return }
        let removal = stored.removal
        try? await stored.writes.write(for: stored.ownContext) { try missing.make($0, removal: removal($0)) }
    }
}
