import CloudModel

/// Checks a batch after its operations are written: references must hold, and moved records need their new visibility.
extension Batch {
    /// Positions in the batch's lists at the start of an operation.
    struct Mark {
        var saved = 0
        var written = 0
        var deleted = 0
        var orphans = 0
        var taken = 0
        var revealing = 0
    }

    /// Failed checks of a whole batch or single operation.
    struct Findings {
        /// Operations to refuse, regardless of other operations.
        var faults: [Int: ServerError] = [:]
        /// Conflicting pairs of operations, of which the verdict refuses one.
        var contests: [Contest] = []

        var isEmpty: Bool { faults.isEmpty && contests.isEmpty }
    }

    /// A deletion, and an operation that wrote a reference to the deleted record.
    struct Contest {
        let deletion: Int
        let writing: Int
        let holder: String
        let reference: RecordContent.Reference
        /// The error for the deletion, if the reference wins.
        let refusal: ServerError
    }

    var mark: Mark {
        Mark(
            saved: saved.count, written: written.count, deleted: deletions.all.count, orphans: moves.orphans.count,
            taken: taken.count, revealing: revealing.count)
    }

    /// Updates the visibility of new and moved records, once their parents are written.
    mutating func updateMoved() throws {
        // A request may write children before parents: children wait for their parent's placement.
        var waiting: [ExactName: [Move]] = [:]
        var place = 0
        while place < moves.new.count {
            let next = moves.new[place]
            place += 1
            var shown: [String] = []
            let isPlaced = try marks.update(
                next.name, parent: next.parent, isNew: next.isNew, sees: { view.sees($0) }, shown: &shown)
            addRevealed(shown, by: next.index)
            if isPlaced {
                moves.new += waiting.removeValue(forKey: ExactName(next.name)) ?? []
            } else if let parent = next.parent {
                waiting[ExactName(parent), default: []].append(next)
            }
        }
        moves.orphans += waiting.values.flatMap(\.self)
        moves.placed += moves.new
        moves.new.removeAll()
    }

    /// Adds records that an operation brought into a share, except records that the request created.
    mutating func addRevealed(_ names: [String], by index: Int) {
        guard context.request.revealRefusal != nil, !names.isEmpty else { return }
        let own = Set(saved.lazy.filter(\.isNew).map { ExactName($0.name) })
        let others = names.filter { !own.contains(ExactName($0)) }
        if !others.isEmpty { revealing.append((index, others)) }
    }

    var marks: ShareVisibility { ShareVisibility(zone: zone.id, transaction: transaction) }

    /// Checks the written operations from `start` on, and returns those whose references do not hold.
    mutating func findings(since start: Mark = Mark(), limit: Int) throws -> Findings {
        try updateMoved()
        var findings = Findings()
        try judgeDeletions(deletions.all[start.deleted...], &findings)
        let doomed = Set(deletions.all[start.deleted...].map { ExactName($0.name) })
        var references = written[start.written...].map { ($0.index, $0.holder, $0.reference) }
        references += moves.orphans[start.orphans...].map {
            ($0.index, $0.name, .init(target: $0.parent ?? "", kind: .parent))
        }
        for (index, holder, reference) in references where findings.faults[index] == nil {
            // Skip references to records that the same operations delete: the deletion reports them.
            if reference.kind != .deleteSelf, doomed.contains(ExactName(reference.target)) { continue }
            if deletions.names.contains(ExactName(holder)), try !isLive(holder) { continue }
            findings.faults[index] = try ReferenceTable.fault(
                of: reference, zone: zone.id, limit: limit, isThere: isThere, db)
        }
        // Only managers may write share records, and their access is already checked.
        if view.memberships != nil {
            for (index, name, isNew) in saved[start.saved...] where findings.faults[index] == nil {
                findings.faults[index] = try faultOfMember(name, isNew: isNew)
            }
        }
        for (index, names) in revealing[start.revealing...] where findings.faults[index] == nil {
            if try names.contains(where: isLive) { findings.faults[index] = context.request.revealRefusal }
        }
        refuseTaken(since: start, &findings)
        return findings
    }

    /// Refuses records whose names belong to records outside the caller's view, but only if the operation is otherwise valid:
    /// an invalid request must not reveal taken names.
    private func refuseTaken(since start: Mark, _ findings: inout Findings) {
        if context.request.atomic, !findings.isEmpty { return }
        for index in taken[start.taken...] where findings.faults[index] == nil {
            findings.faults[index] = ServerError(.conflict, "record to insert already exists", .share(.outside))
        }
    }

    /// Writes a record with a taken name under an impossible name, so that all checks apply to it. ``findings(since:limit:)``
    /// then refuses it.
    mutating func insertInPlace(of name: String, _ operation: RecordOperation, index: Int) throws {
        taken.append(index)
        _ = try insert(operation, name: "_taken-\(index)", wanted: name, index: index, tombstone: nil)
    }

    private func judgeDeletions(_ doomed: ArraySlice<(index: Int, name: String)>, _ findings: inout Findings) throws {
        guard !doomed.isEmpty else { return }
        let writers = Dictionary(saved.map { (ExactName($0.name), $0.index) }) { _, last in last }
        let held = try ReferenceTable.held(among: doomed.map(\.name), zone: zone.id, db)
        let left = doomed.map(\.name).filter { held.contains(ExactName($0)) && deletions.left[ExactName($0)] != nil }
        let (staying, isKnown) = try stayingHolders(of: left)
        for (index, name) in doomed where held.contains(ExactName(name)) && findings.faults[index] == nil {
            // The batch saved the record again after its deletion.
            if writers[ExactName(name)] != nil, try isLive(name) { continue }
            func judge(_ holder: String, _ kind: ReferenceKind, _ refusal: ServerError) -> Bool {
                guard let writing = writers[ExactName(holder)] else {
                    findings.faults[index] = refusal
                    return false
                }
                findings.contests.append(
                    Contest(
                        deletion: index, writing: writing, holder: holder, reference: .init(target: name, kind: kind),
                        refusal: refusal))
                return true
            }
            if deletions.left[ExactName(name)] != nil {
                guard let holders = staying[ExactName(name)] else { continue }
                guard isKnown else {
                    findings.faults[index] = Self.tooManyHolders(name)
                    continue
                }
                for holder in holders {
                    let isShown = isThere(share: holder.share, type: holder.type)
                    let refusal = ReferenceTable.held(name, by: isShown ? holder.name : nil)
                    guard judge(holder.name, holder.kind, refusal) else { break }
                }
            } else {
                try ReferenceTable.eachHolder(of: name, zone: zone.id, isThere: isThere, db, judge)
            }
        }
    }

    /// The records that prevent deletions with deferred cascades.
    ///
    /// - Returns: the holders by deleted name, and whether they are known; if not, the undecided names.
    private func stayingHolders(of names: [String]) throws -> ([ExactName: [HolderSearch.Holder]], isKnown: Bool) {
        guard !names.isEmpty else { return ([:], true) }
        var search = HolderSearch(zone: zone.id, budget: transaction.bounds.holderBudget, transaction)
        let staying = try search.holders(of: names)
        transaction.bounds.holderBudget = search.budget
        guard search.isComplete, staying.isEmpty else { return (staying, search.isComplete) }
        // Small trees are searched completely, for the same result as an immediate deletion.
        var whole = HolderSearch(zone: zone.id, isWhole: true, budget: transaction.bounds.wholeBudget, transaction)
        let found = try whole.holders(of: names)
        transaction.bounds.wholeBudget = whole.budget
        return (whole.isComplete ? found : [:], true)
    }

    private static func tooManyHolders(_ name: String) -> ServerError {
        let most = HolderBudget.request
        return ServerError(
            .validatingReferenceError,
            "'\(Naming.shown(name))' cannot be deleted: to find out what refers to it, more than \(most.rows) references or \(most.levels) levels would be followed for all deletions of the request",
            .limit(most.rows))
    }

    /// Returns true if the caller can find records of this share and type.
    private func isThere(share: Int64?, type: Int64) -> Bool {
        view.sees(share) && !transaction.catalog.isRemoved(type: type)
    }

    private func isLive(_ name: String) throws -> Bool { try RecordTable.find(name, zone: zone.id, db)?.type != nil }

    /// Checks that members write only within their shares (reference B §9.5).
    private func faultOfMember(_ name: String, isNew: Bool) throws -> ServerError? {
        guard let node = try marks.find(name), !view.mayWrite(node.share) else { return nil }
        return ServerError(
            .accessDenied,
            isNew
                ? "CREATE operation not permitted: a new record needs a parent that is shared with you"
                : "WRITE operation not permitted: only the owner can move a record out of a share", .share(.outside))
    }

    func finish() {
        if let lastPosition { transaction.zones.touch(zone.id, at: lastPosition) }
    }
}
