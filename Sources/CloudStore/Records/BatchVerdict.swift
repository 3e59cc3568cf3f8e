import CloudModel

/// Decides which operations of a batch to refuse for its findings, so that the others are consistent.
///
/// Runs after the batch is undone, when records are in their earlier state. An existing reference prevents the deletion of
/// its target; between a deletion and a new reference to its target, the later operation is refused. See
/// docs/decisions/batches.md.
struct BatchVerdict {
    let batch: Batch
    private(set) var refused: [Int: ServerError] = [:]
    private var writers: [ExactName: (index: Int, isNew: Bool)] = [:]
    private var deleters: [ExactName: Int] = [:]
    private var deletions: [Int: [String]] = [:]
    private var holders: [ExactName: [(index: Int, reference: RecordContent.Reference)]] = [:]
    private var names: [Int: String] = [:]
    /// The earlier references of the batch's records.
    private let before: [ExactName: ReferenceTable.Holder]

    /// - Parameter follows: true to refuse operations that depend on refused ones too; false for an atomic batch, which fails
    ///   as a whole.
    init(_ batch: Batch, _ findings: Batch.Findings, follows: Bool) throws {
        self.batch = batch
        let touched = batch.deletions.names.union(batch.saved.map { ExactName($0.name) })
        before =
            findings.isEmpty
            ? [:] : try ReferenceTable.holders(named: touched.map(\.text), zone: batch.zone.id, batch.db)
        if follows { addLinks() }
        for (index, error) in findings.faults.sorted(by: { $0.key < $1.key }) { refuse(index, error) }
        var contests: [(winner: Int, loser: Int, error: ServerError)] = []
        for contest in findings.contests {
            let (deletion, writing) = (contest.deletion, contest.writing)
            if isOld(contest) {
                refuse(deletion, contest.refusal)
            } else if deletion < writing {
                contests.append((deletion, writing, ReferenceTable.missing(contest.reference)))
            } else {
                contests.append((writing, deletion, contest.refusal))
            }
        }
        // In this order, each contest's winner is settled before its loser.
        for contest in contests.sorted(by: { $0.loser < $1.loser }) where refused[contest.winner] == nil {
            refuse(contest.loser, contest.error)
        }
    }

    private mutating func addLinks() {
        for (index, name, isNew) in batch.saved {
            writers[ExactName(name)] = (index, isNew)
            names[index] = name
        }
        for (index, name) in batch.deletions.all {
            deleters[ExactName(name)] = index
            deletions[index, default: []].append(name)
        }
        for (index, _, reference) in batch.written where reference.kind != .deleteSelf {
            holders[ExactName(reference.target), default: []].append((index, reference))
        }
        for move in batch.moves.placed {
            guard let parent = move.parent else { continue }
            holders[ExactName(parent), default: []].append((move.index, .init(target: parent, kind: .parent)))
        }
    }

    /// Returns true if the reference existed before the batch.
    private func isOld(_ contest: Batch.Contest) -> Bool {
        before[ExactName(contest.holder)]?.references.contains {
            $0.kind == contest.reference.kind && $0.target.isExactly(contest.reference.target)
        } ?? false
    }

    private mutating func refuse(_ index: Int, _ error: ServerError) {
        guard refused[index] == nil else { return }
        refused[index] = error
        var falling = [index]
        while let next = falling.popLast() {
            for (index, error) in fallen(with: next) where refused[index] == nil {
                refused[index] = error
                falling.append(index)
            }
        }
    }

    /// Operations that fail without this one: references to a record that it created, and deletions of records to which its
    /// unchanged records still refer.
    private func fallen(with index: Int) -> [(index: Int, error: ServerError)] {
        var fallen: [(index: Int, error: ServerError)] = []
        if let name = names[index], writers[ExactName(name)]?.isNew == true, deleters[ExactName(name)] == nil {
            fallen += holders[ExactName(name), default: []].map { ($0.index, ReferenceTable.missing($0.reference)) }
        }
        for name in (deletions[index] ?? []) + (names[index].map { [$0] } ?? []) {
            // The next run judges records that other operations touch too.
            if let writer = writers[ExactName(name)], writer.index != index { continue }
            if let deleter = deleters[ExactName(name)], deleter != index { continue }
            guard let old = before[ExactName(name)] else { continue }
            let mayGoYet = old.references.contains { reference in
                reference.kind == .deleteSelf
                    && deleters[ExactName(reference.target)].map { refused[$0] == nil } == true
            }
            if mayGoYet { continue }
            for reference in old.references
            where reference.kind != .deleteSelf && writers[ExactName(reference.target)] == nil {
                guard let deleter = deleters[ExactName(reference.target)], deleter != index else { continue }
                fallen.append(
                    (deleter, ReferenceTable.held(reference.target, by: batch.view.sees(old.share) ? name : nil)))
            }
        }
        return fallen
    }
}
