extension ResolvedQuery {
    /// The first of what it asks by whose index is still being built; nil when it can be answered.
    package var unbuilt: Subject? {
        guard !type.unbuilt.isEmpty else { return nil }
        let isUnbuilt = { (subject: Subject) in
            type.unbuilt[subject.column]?.isDisjoint(with: [.queryable, .sortable]) == false
        }
        return filters.lazy.map(\.subject).first(where: isUnbuilt) ?? sorts.lazy.map(\.subject).first(where: isUnbuilt)
    }
}
