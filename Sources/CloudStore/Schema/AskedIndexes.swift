import CloudModel

extension MissingIndexes {
    /// Builds the missing indexes: at once for types with few records, otherwise in the background.
    func make(_ transaction: WriteTransaction, removal: TypeRemoval) throws {
        guard let type = transaction.catalog.type(id: type), !transaction.catalog.isRemoved(type: type.id) else {
            return
        }
        let columns = columns.filter { type.indexes[$0] == nil && SchemaTables.isIndexable($0, of: type) }
        let fields = type.searchable.filter { words.contains($0.id) && $0.words == nil }
        guard !columns.isEmpty || !fields.isEmpty else { return }
        let edit = IndexEdit(transaction)
        for column in columns.sorted() { try edit.add(column, to: type, isAwaited: false) }
        for field in fields { try edit.addWords(of: field, to: type, isAwaited: false) }
        try transaction.schema.reload()
        if !fields.isEmpty { try SmallChanges(transaction, removal: removal).run() }
    }
}
