/// Holds the parts of a query against its record type.
struct QueryResolver {
    let type: RecordType
    let rules: IndexRules
    let decoder: FieldDecoder
    let limits: Limits

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
        let canBeSorted = sort.relativeLocation == nil ? subject.type.isQueryable : subject.type.kind == .location
        guard canBeSorted, !subject.type.isList, !subject.type.isEncrypted else {
            let detail = subject.type == FieldType(.location) ? ": relativeLocation is missing" : ""
            throw .badRequest(
                "Field '\(subject.name)' has a value type of \(subject.type.name) and cannot be sorted by"
                    + (sort.relativeLocation == nil ? detail : " the distance from a place"))
        }
        let origin = try sort.relativeLocation.map { json throws(ServerError) in try position(json, subject.name) }
        try rules.requireSorting(subject)
        return ResolvedQuery.Sort(subject: subject, ascending: sort.ascending, origin: origin)
    }

    func filter(_ filter: Query.Filter) throws(ServerError) -> ResolvedQuery.Filter {
        let subject = try named(filter)
        let comparator = filter.comparator
        guard subject.type.isQueryable, subject.type.isList == comparator.appliesToLists,
            !comparator.isPrefix || subject.type.kind == .string
        else { throw mismatch(subject, comparator) }
        try rules.require(comparator, subject)
        return ResolvedQuery.Filter(
            subject: subject, comparator: comparator, keys: try keys(filter.operand, subject, subject.name, comparator))
    }

    // MARK: Words and places

    func search(_ filter: Query.Filter) throws(ServerError) -> ResolvedQuery.Search {
        let (fields, place) = try searchable(filter)
        let texts: [JSONValue] = filter.operand.array ?? [filter.operand]
        var words: [String] = []
        for text in texts {
            guard let text = text.string else {
                throw .badRequest("\(place) needs words as STRING or STRING_LIST, not \(text.kind)")
            }
            for word in Words.of(text) where !words.contains(word) { words.append(word) }
            guard words.count <= limits.operandsPerFilter else {
                throw .badRequest("\(place) has more than \(limits.operandsPerFilter) words, which is the most allowed")
            }
        }
        guard !words.isEmpty else {
            throw .badRequest(
                "\(place) has 0 words to search for, 1 to \(limits.operandsPerFilter) are allowed: "
                    + "ignored words such as 'the' and characters that are in no word do not count")
        }
        return ResolvedQuery.Search(fields: fields, words: words, needsAll: filter.comparator == .containsAllTokens)
    }

    private func searchable(_ filter: Query.Filter) throws(ServerError) -> ([FieldDefinition], place: String) {
        guard filter.field != nil else {
            let fields = type.searchable
            guard !fields.isEmpty else { throw rules.nothingSearchable() }
            return (fields, "\(filter.comparator.rawValue) on all searchable fields")
        }
        let subject = try named(filter)
        guard case .field(let field) = subject, field.type.kind == .string, !field.type.isEncrypted else {
            throw mismatch(subject, filter.comparator)
        }
        // Only what is marked has its words kept, strict or not.
        guard field.indexes.contains(.searchable) else { throw rules.missing(filter.comparator, subject) }
        return ([field], "\(filter.comparator.rawValue) on field '\(field.name)'")
    }

    func nearness(_ filter: Query.Filter) throws(ServerError) -> ResolvedQuery.Nearness {
        let subject = try named(filter)
        guard case .field(let field) = subject, field.type == FieldType(.location) else {
            throw mismatch(subject, filter.comparator)
        }
        try rules.require(filter.comparator, subject)
        let center = try position(filter.operand, field.name)
        guard let given = filter.distance else {
            throw .badRequest("NEAR on field '\(field.name)' needs a distance in metres beside its fieldValue")
        }
        guard let radius = FieldDecoder.number(given), radius >= 0 else {
            throw .badRequest(
                "NEAR on field '\(field.name)': distance must be a number of metres, 0 or more, not \(given.shown)")
        }
        return ResolvedQuery.Nearness(field: field, circle: Circle(center: center, radius: radius))
    }

    private func position(_ json: JSONValue, _ field: String) throws(ServerError) -> Position {
        guard case .location(let location) = try decoder.scalar(json, field, FieldType(.location)) else {
            throw .badRequest("Field '\(field)' needs a location with latitude and longitude, not \(json.kind)")
        }
        return location.position
    }

    // MARK: Operands

    private func named(_ filter: Query.Filter) throws(ServerError) -> ResolvedQuery.Subject {
        guard let field = filter.field else { throw .badRequest("\(filter.comparator.rawValue) needs a fieldName") }
        return try subject(field)
    }

    private func mismatch(_ subject: ResolvedQuery.Subject, _ comparator: Comparator) -> ServerError {
        .badRequest(
            "Field '\(subject.name)' has a value type of \(subject.type.name) "
                + "and cannot be queried using filter type \(comparator.rawValue)")
    }

    private func keys(
        _ operand: JSONValue, _ subject: ResolvedQuery.Subject, _ name: String, _ comparator: Comparator
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
}

extension RecordType {
    /// The fields whose words are kept, in the order in which they were made.
    package var searchable: [FieldDefinition] {
        fields.values.filter { $0.isSearchable }.sorted { $0.id < $1.id }
    }
}

extension FieldDefinition {
    /// Whether its words are kept.
    package var isSearchable: Bool { type.kind == .string && !type.isEncrypted && indexes.contains(.searchable) }
}

extension JSONValue {
    /// A number as it came, else what kind of value it is.
    fileprivate var shown: String {
        switch self {
        case .integer(let integer): String(integer)
        case .number(let number): String(number)
        default: kind
        }
    }
}
