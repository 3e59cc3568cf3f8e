extension ResolvedQuery {
    /// Limit on the marks recorded per query.
    private static let mostUsedMarks = 16

    /// Marks that the query requires. If either of two marks suffices, the field's first is listed.
    package var usedMarks: [UsedMark] {
        var used: [UsedMark] = []
        func use(_ subject: Subject, anyOf marks: Set<IndexKind>) {
            let own = type.marks(of: subject)
            guard let mark = IndexKind.allCases.first(where: { marks.contains($0) && own.contains($0) }) else { return }
            let found = UsedMark(field: subject.schemaName, mark: mark)
            if used.count < Self.mostUsedMarks, !used.contains(found) { used.append(found) }
        }
        if isUnfiltered { use(.system(.recordName), anyOf: [.queryable]) }
        for filter in filters { use(filter.subject, anyOf: filter.comparator.indexes) }
        for field in searches.flatMap(\.fields) { use(.field(field), anyOf: [.searchable]) }
        for nearness in nearnesses { use(.field(nearness.field), anyOf: Comparator.near.indexes) }
        for sort in sorts { use(sort.subject, anyOf: [.sortable]) }
        return used
    }
}

extension RecordType {
    /// The index marks of a field in the schema; empty for system fields that cannot be marked.
    func marks(of subject: ResolvedQuery.Subject) -> Set<IndexKind> {
        switch subject {
        case .field(let field): field.indexes
        case .system(let field): ImplicitField(field).flatMap { implicit[$0] } ?? []
        }
    }
}
