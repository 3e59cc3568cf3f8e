extension ResolvedQuery {
    /// The first queried field whose index is still being built; nil if the query can run.
    package var unbuilt: Subject? {
        guard !type.unbuilt.isEmpty else { return nil }
        let values: Set<IndexKind> = [.queryable, .sortable]
        return filters.lazy.map(\.subject).first { isUnbuilt($0, values) }
            ?? searches.lazy.flatMap(\.fields).map(Subject.field).first { isUnbuilt($0, [.searchable]) }
            ?? nearnesses.lazy.map { Subject.field($0.field) }.first { isUnbuilt($0, values) }
            ?? sorts.lazy.map(\.subject).first { isUnbuilt($0, values) }
    }

    private func isUnbuilt(_ subject: Subject, _ marks: Set<IndexKind>) -> Bool {
        type.unbuilt[subject.column]?.isDisjoint(with: marks) == false
    }
}
