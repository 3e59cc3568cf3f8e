import CloudModel

extension Batch {
    /// Deleted records, and their dependents by DELETE_SELF.
    struct Deletions {
        /// Deleted records, each with its operation's index.
        var all: [(index: Int, name: String)] = []
        var names: Set<ExactName> = []
        /// The dependents of the records that operations delete by name, from before the first operation; nil for fewer than
        /// two such operations, or too many dependents for one transaction.
        var hangingAhead: [ExactName: [String]]?
        /// True if dependents of deleted records are left for later.
        var hangsTooMuch = false
        /// Deleted records with remaining dependents, each with the share that limits the cascade.
        var left: [ExactName: Int64?] = [:]
        /// Records deleted because their type, or that of a record they depend on, was removed from the schema.
        var along: [String] = []

        mutating func add(_ name: String, by index: Int) {
            all.append((index, name))
            names.insert(ExactName(name))
        }
    }

    /// Records whose parent was set or cleared.
    struct Moves {
        /// Moves whose visibility is not settled.
        var new: [Move] = []
        /// Settled moves, and moves with a missing parent.
        var placed: [Move] = []
        var orphans: [Move] = []
    }

    struct Move {
        let index: Int
        let name: String
        let parent: String?
        let isNew: Bool
    }

    /// Change tags of the batch's records.
    struct Tags {
        /// The tags before this batch; nil for new records.
        var before: [ExactName: String?] = [:]
        /// Records whose tag the server itself changed, before or after their operation.
        var restamped: Set<ExactName> = []

        /// The operation's tag, or the stored tag if the operation knew the tag from before the server changed it.
        func sent(by operation: RecordOperation, _ name: String, stored: String?) -> String? {
            let exact = ExactName(name)
            guard restamped.contains(exact), let before = before[exact], let sent = operation.changeTag, before == sent
            else { return operation.changeTag }
            return stored
        }
    }
}
