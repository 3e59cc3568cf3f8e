/// A query held against the schema: every field known, every operand in indexed form.
package struct ResolvedQuery: Hashable, Sendable {
    package enum Subject: Hashable, Sendable {
        case field(FieldDefinition)
        case system(SystemField)

        package var type: FieldType {
            switch self {
            case .field(let field): field.type
            case .system(let field): field.type
            }
        }
    }

    package struct Filter: Hashable, Sendable {
        package let subject: Subject
        package let comparator: Comparator
        /// One key, or as many as the comparator takes.
        package let keys: [IndexKey]
    }

    package struct Sort: Hashable, Sendable {
        package let subject: Subject
        package let ascending: Bool
    }

    package let type: RecordType
    package let filters: [Filter]
    package let sorts: [Sort]

    /// - Parameters:
    ///   - strict: refuse what the schema does not mark as indexed, as the original does (reference A §5.6).
    ///   - zone: what references in operands are relative to.
    package init(
        _ query: Query, catalog: Catalog, strict: Bool, zone: ZoneID, limits: Limits
    ) throws(ServerError) {
        guard let type = catalog.types[query.recordType] else {
            throw ServerError(.notFound, "Did not find record type: \(Naming.shown(query.recordType))")
        }
        self.type = type
        if strict && query.filters.isEmpty && type.implicit[.recordID]?.contains(.queryable) != true {
            throw .badRequest("Field 'recordName' is not marked queryable")
        }
        let resolver = Resolver(type: type, strict: strict, decoder: FieldDecoder(recordType: type.name, zone: zone))
        var filters: [Filter] = []
        for filter in query.filters { filters.append(try resolver.filter(filter, limits: limits)) }
        let operands = filters.reduce(0) { $0 + $1.keys.count }
        guard operands <= limits.operandsPerQuery else {
            throw .badRequest("query has \(operands) operands, at most \(limits.operandsPerQuery) are allowed")
        }
        var sorts: [Sort] = []
        for sort in query.sorts {
            let resolved = try resolver.sort(sort)
            // A second sort by the same field decides nothing.
            if !sorts.contains(where: { $0.subject == resolved.subject }) { sorts.append(resolved) }
        }
        self.filters = filters
        self.sorts = sorts
    }

    /// Text that is the same for the same question, so that a marker can be held to its query.
    package var fingerprint: String {
        var text = "\(type.id)"
        for filter in filters { text += "|\(filter.subject.column) \(filter.comparator.rawValue) \(filter.keys)" }
        for sort in sorts { text += "|\(sort.subject.column) \(sort.ascending)" }
        return text
    }
}

extension ResolvedQuery.Subject {
    /// A name for the field's values that is safe in any language: system fields by their schema name, others by id.
    package var column: String {
        switch self {
        case .field(let field): "f\(field.id)"
        case .system(let field): field.rawValue
        }
    }
}

private struct Resolver {
    let type: RecordType
    let strict: Bool
    let decoder: FieldDecoder

    func subject(_ name: Query.FieldName) throws(ServerError) -> ResolvedQuery.Subject {
        switch name {
        case .system(let field): return .system(field)
        case .field(let name):
            if let field = type.fields[name] { return .field(field) }
            if let field = Self.aliases[name] { return .system(field) }
            throw .badRequest("Unknown field '\(Naming.shown(name))' in record type '\(type.name)'")
        }
    }

    /// What clients call system fields where the type has no field of that name (reference A §5.4, scenario 5).
    private static let aliases: [String: SystemField] = [
        "recordName": .recordName, "createdTimestamp": .createdTimestamp, "modifiedTimestamp": .modifiedTimestamp,
        "creationDate": .createdTimestamp, "createdDate": .createdTimestamp,
        "modificationDate": .modifiedTimestamp, "modifiedDate": .modifiedTimestamp,
    ]

    func sort(_ sort: Query.Sort) throws(ServerError) -> ResolvedQuery.Sort {
        let subject = try subject(sort.field)
        guard subject.type.isQueryable, !subject.type.isList else {
            throw .badRequest(
                "Field '\(name(subject))' has a value type of \(subject.type.name) and cannot be sorted by")
        }
        if strict && !marks(subject).contains(.sortable) {
            throw .badRequest("Field '\(schemaName(subject))' is not marked sortable")
        }
        return ResolvedQuery.Sort(subject: subject, ascending: sort.ascending)
    }

    func filter(_ filter: Query.Filter, limits: Limits) throws(ServerError) -> ResolvedQuery.Filter {
        let subject = try subject(filter.field)
        let name = name(subject)
        let comparator = filter.comparator
        guard subject.type.isQueryable, subject.type.isList == comparator.appliesToLists,
            !comparator.isPrefix || subject.type.kind == .string
        else {
            throw .badRequest(
                "Field '\(name)' has a value type of \(subject.type.name) "
                    + "and cannot be queried using filter type \(comparator.rawValue)")
        }
        if strict && marks(subject).isDisjoint(with: comparator.indexes) {
            throw .badRequest("Field '\(name)' is not marked queryable")
        }
        return ResolvedQuery.Filter(
            subject: subject, comparator: comparator,
            keys: try keys(filter.operand, subject, name, comparator, limits))
    }

    private func keys(
        _ operand: JSONValue, _ subject: ResolvedQuery.Subject, _ name: String, _ comparator: Comparator,
        _ limits: Limits
    ) throws(ServerError) -> [IndexKey] {
        let elements: [JSONValue]
        if comparator.takesMany {
            guard let array = operand.array else {
                throw .badRequest("\(comparator.rawValue) on field '\(name)' needs an array, not \(operand.kind)")
            }
            guard !array.isEmpty, array.count <= limits.operandsPerFilter else {
                throw .badRequest(
                    "\(comparator.rawValue) on field '\(name)' has \(array.count) operands, "
                        + "1 to \(limits.operandsPerFilter) are allowed")
            }
            elements = array
        } else {
            elements = [operand]
        }
        var keys: [IndexKey] = []
        keys.reserveCapacity(elements.count)
        for element in elements { keys.append(try key(element, subject, name)) }
        return keys
    }

    private func key(
        _ element: JSONValue, _ subject: ResolvedQuery.Subject, _ name: String
    ) throws(ServerError) -> IndexKey {
        // Clients also send the bare name where a reference to a record or user belongs (reference A §5.4).
        if subject.type.kind == .reference, case .string(let recordName) = element { return .text(recordName) }
        if case .system = subject, subject.type.kind == .reference {
            guard let recordName = element.object?["recordName"]?.string else {
                throw .badRequest("Invalid value, expected type REFERENCE. Field '\(name)': it needs a recordName")
            }
            return .text(recordName)
        }
        let scalar = try decoder.scalar(element, name, FieldType(subject.type.kind))
        guard let key = scalar.key else { throw .badRequest("Field '\(name)' cannot be queried") }
        return key
    }

    private func marks(_ subject: ResolvedQuery.Subject) -> Set<IndexMark> {
        switch subject {
        case .field(let field): field.indexes
        case .system(let field): ImplicitField(field).flatMap { type.implicit[$0] } ?? []
        }
    }

    private func name(_ subject: ResolvedQuery.Subject) -> String {
        switch subject {
        case .field(let field): field.name
        case .system(let field): field.errorName
        }
    }

    private func schemaName(_ subject: ResolvedQuery.Subject) -> String {
        switch subject {
        case .field(let field): field.name
        case .system(let field): field.rawValue
        }
    }
}
