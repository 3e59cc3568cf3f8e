extension ResolvedQuery {
    /// The first queried field whose index is still being built; nil if the query can run.
    package var unbuilt: Subject? {
        guard !type.unbuilt.isEmpty else { return nil }
        let values: Set<IndexKind> = [.queryable, .sortable]
        if let filter = filters.first(where: { isUnbuilt($0.subject, values) }) { return filter.subject }
        for field in searches.flatMap(\.fields) where isUnbuilt(.field(field), [.searchable]) { return .field(field) }
        for nearness in nearnesses where isUnbuilt(.field(nearness.field), values) { return .field(nearness.field) }
        return sorts.first { isUnbuilt($0.subject, values) }?.subject
    }

    private func isUnbuilt(_ subject: Subject, _ marks: Set<IndexKind>) -> Bool {
        type.unbuilt[subject.column]?.isDisjoint(with: marks) == false
    }
}
