extension CKSyncEngine {
    /// Pending record changes, one per record, in the order of addition.
    struct PendingChanges: Sendable {
        struct Item: Sendable, Codable {
            let change: PendingRecordZoneChange
            /// Increases with each addition; distinguishes an edit made during a send from the sent version.
            let generation: Int
        }

        private var items: [CKRecord.ID: Item] = [:]
        /// Ascending generations, including stale entries of records since removed or added again.
        private var order: [(generation: Int, id: CKRecord.ID)] = []

        var isEmpty: Bool { items.isEmpty }
        subscript(id: CKRecord.ID) -> Item? { items[id] }

        /// All pending changes, in order.
        var all: [Item] {
            order.compactMap { entry in items[entry.id].flatMap { $0.generation == entry.generation ? $0 : nil } }
        }

        mutating func set(_ item: Item) {
            items[item.change.recordID] = item
            order.append((item.generation, item.change.recordID))
            dropStale()
        }

        mutating func remove(_ id: CKRecord.ID) {
            items[id] = nil
            dropStale()
        }

        /// Keeps at most as many stale entries as live entries, for constant amortized cost.
        private mutating func dropStale() {
            guard order.count > 2 * items.count + 64 else { return }
            order.removeAll { items[$0.id]?.generation != $0.generation }
        }
    }
}

extension CKSyncEngine.PendingChanges: Codable {
    init(from decoder: any Decoder) throws {
        for item in try [Item](from: decoder) { set(item) }
    }

    func encode(to encoder: any Encoder) throws { try all.encode(to: encoder) }
}
