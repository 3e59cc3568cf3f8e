/// Resolves the parts of a query against its record type.
struct QueryResolver {
    let type: RecordType
    let rules: IndexRules
    let decoder: FieldDecoder
    /// True if the query covers all zones. A reference without a zone is then resolved in each zone.
    let zoneWide: Bool
    let limits: Limits

    func subject(_ name: Query.FieldName) throws(ServerError) -> ResolvedQuery.Subject {
        switch name {
        case .system(let field): return .system(field)
        case .field(let name):
            if let field = type.fields[name], field.name.isExactly(name) { return .field(field) }
            if let field = Self.aliases[name] { return .system(field) }
            throw .badRequest(
                "Unknown field '\(Naming.shown(name))' in record type '\(known: type.name)'",
                .schema(.unknownField(type: type.name)))
        }
    }

    /// Clients' names for system fields where the type has no field of that name (reference A §5.4, scenario 5).
    private static let aliases: [String: SystemField] = [
        "recordName": .recordName, "createdTimestamp": .createdTimestamp, "modifiedTimestamp": .modifiedTimestamp,
        "creationDate": .createdTimestamp, "createdDate": .createdTimestamp,
        "modificationDate": .modifiedTimestamp, "modifiedDate": .modifiedTimestamp,
    ]

    /// - Returns: nil for a sort by an encrypted field, which is accepted without effect (reference A §3.6).
    func sort(_ sort: Query.Sort) throws(ServerError) -> ResolvedQuery.Sort? {
        let subject = try subject(sort.field)
        if subject.type.isEncrypted, !subject.type.isList, sort.relativeLocation == nil { return nil }
        let canBeSorted = sort.relativeLocation == nil ? subject.type.isQueryable : subject.type.kind == .location
        guard canBeSorted, !subject.type.isList, !subject.type.isEncrypted else {
            let detail: Reason = subject.type == FieldType(.location) ? ": relativeLocation is missing" : ""
            throw .badRequest(
                "Field '\(known: subject.name)' has a value type of \(known: subject.type.name) and cannot be sorted by"
                    + (sort.relativeLocation == nil ? detail : " the distance from a place"))
        }
        let origin = try sort.relativeLocation.map { origin throws(ServerError) in
            try origin.check(subject)
            return try coordinate(origin.value, subject.name)
        }
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
        try filter.operand.check(subject, comparator)
        let operands = try operands(filter.operand.value, subject, comparator)
        if subject.type.kind == .reference { return try references(operands, subject, comparator) }
        return ResolvedQuery.Filter(
            subject: subject, comparator: comparator,
            keys: try operands.map { operand throws(ServerError) in try Self.key(operand, subject, decoder) })
    }

    // MARK: Words and places

    /// Limit on the UTF-8 bytes of a search text, above the size of any permitted number of words.
    private static let mostTextBytes = 1 << 20

    func search(_ filter: Query.Filter) throws(ServerError) -> ResolvedQuery.Search {
        let (fields, place) = try searchable(filter)
        var texts: [String] = []
        for text in filter.operand.value.array ?? [filter.operand.value] {
            guard let text = text.string else {
                throw .badRequest("\(known: place) needs words as STRING or STRING_LIST, not \(known: text.kind)")
            }
            texts.append(text)
        }
        guard texts.reduce(0, { $0 + $1.utf8.count }) <= Self.mostTextBytes else {
            throw .badRequest(
                "\(known: place) has more than \(Self.mostTextBytes) bytes of text, which is the most allowed",
                .limit(Self.mostTextBytes))
        }
        let most = limits.operandsPerFilter
        // Reading a single word beyond the limit suffices.
        let words = Words.of(texts, most: most == .max ? most : most + 1)
        guard words.count <= most else {
            throw .badRequest(
                "\(known: place) has more than \(most) words, which is the most allowed",
                .limit(most, "limit.operandsPerFilter"))
        }
        guard !words.isEmpty else {
            throw .badRequest(
                "\(known: place) has 0 words to search for, 1 to \(limits.operandsPerFilter) are allowed: "
                    + "ignored words such as 'the' and characters that are in no word do not count")
        }
        return ResolvedQuery.Search(fields: fields, words: words, needsAll: filter.comparator == .containsAllTokens)
    }

    private func searchable(_ filter: Query.Filter) throws(ServerError) -> ([FieldDefinition], place: String) {
        guard filter.field != nil else {
            let fields = type.searchable
            guard let first = fields.first else { throw rules.nothingSearchable() }
            try filter.operand.check(.field(first), filter.comparator)
            return (fields, "\(filter.comparator.rawValue) on all searchable fields")
        }
        let subject = try named(filter)
        guard case .field(let field) = subject, field.type.kind == .string, !field.type.isEncrypted else {
            throw mismatch(subject, filter.comparator)
        }
        // Only searchable fields have a word index, in strict mode or not.
        guard field.indexes.contains(.searchable) else { throw rules.missing(filter.comparator, subject) }
        try filter.operand.check(subject, filter.comparator)
        return ([field], "\(filter.comparator.rawValue) on field '\(field.name)'")
    }

    func nearness(_ filter: Query.Filter) throws(ServerError) -> ResolvedQuery.Nearness {
        let subject = try named(filter)
        guard case .field(let field) = subject, field.type == FieldType(.location) else {
            throw mismatch(subject, filter.comparator)
        }
        try rules.require(filter.comparator, subject)
        try filter.operand.check(subject, filter.comparator)
        let center = try coordinate(filter.operand.value, field.name)
        guard let given = filter.distance else {
            throw .badRequest("NEAR on field '\(known: field.name)' needs a distance in metres beside its fieldValue")
        }
        guard let radius = FieldDecoder.number(given), radius >= 0 else {
            throw .badRequest(
                "NEAR on field '\(known: field.name)': distance must be a number of metres, 0 or more, not \(given.shown)"
            )
        }
        return ResolvedQuery.Nearness(field: field, circle: Circle(center: center, radius: radius))
    }

    private func coordinate(_ json: JSONValue, _ field: String) throws(ServerError) -> Coordinate {
        guard case .location(let location) = try decoder.scalar(json, field, FieldType(.location)) else {
            throw .badRequest(
                "Field '\(known: field)' needs a location with latitude and longitude, not \(known: json.kind)")
        }
        return location.coordinate
    }

    // MARK: Operands

    private func named(_ filter: Query.Filter) throws(ServerError) -> ResolvedQuery.Subject {
        guard let field = filter.field else {
            throw .badRequest("\(known: filter.comparator.rawValue) needs a fieldName")
        }
        return try subject(field)
    }

    private func mismatch(_ subject: ResolvedQuery.Subject, _ comparator: Comparator) -> ServerError {
        .badRequest(
            "Field '\(known: subject.name)' has a value type of \(known: subject.type.name) "
                + "and cannot be queried using filter type \(known: comparator.rawValue)")
    }

    private func operands(
        _ operand: JSONValue, _ subject: ResolvedQuery.Subject, _ comparator: Comparator
    ) throws(ServerError) -> [JSONValue] {
        guard comparator.takesMany else { return [operand] }
        let place = "\(comparator.rawValue) on field '\(subject.name)'"
        guard let array = operand.array else {
            throw .badRequest("\(known: place) needs an array, not \(known: operand.kind)")
        }
        guard !array.isEmpty, array.count <= limits.operandsPerFilter else {
            throw .badRequest(
                "\(known: place) has \(array.count) operands, 1 to \(limits.operandsPerFilter) are allowed",
                .limit(limits.operandsPerFilter, "limit.operandsPerFilter"))
        }
        return array
    }

    /// The indexed form of an operand, for any subject except references.
    static func key(
        _ element: JSONValue, _ subject: ResolvedQuery.Subject, _ decoder: FieldDecoder
    ) throws(ServerError) -> IndexKey {
        // An integer with no exact double can still be compared with a DOUBLE field.
        if subject.type.kind == .double, case .integer(let integer) = element, Double(exactly: integer) == nil {
            return .integer(integer)
        }
        let scalar = try decoder.scalar(element, subject.name, FieldType(subject.type.kind))
        guard let key = scalar.key else { throw .badRequest("Field '\(known: subject.name)' cannot be queried") }
        return key
    }
}

extension RecordType {
    /// Fields with a word index, in order of creation.
    package var searchable: [FieldDefinition] {
        fields.values.filter { $0.isSearchable }.sorted { $0.id < $1.id }
    }
}

extension FieldDefinition {
    /// True if the field has a word index.
    package var isSearchable: Bool { type.kind == .string && !type.isEncrypted && indexes.contains(.searchable) }
}

extension JSONValue {
    /// A number's text; for other values, the kind's name.
    fileprivate var shown: String {
        switch self {
        case .integer(let integer): String(integer)
        case .number(let number): String(number)
        default: kind
        }
    }
}
