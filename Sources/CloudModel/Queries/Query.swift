/// A parsed query of a request (reference A §5.1), not yet resolved against the schema.
package struct Query: Hashable, Sendable {
    package struct Filter: Hashable, Sendable {
        /// Nil to search every field with a word index.
        package let field: FieldName?
        package let comparator: Comparator
        package let operand: Operand
        /// The radius of NEAR.
        package let distance: JSONValue?

        init(_ field: FieldName?, _ comparator: Comparator, _ operand: Operand) {
            (self.field, self.comparator, self.operand, distance) = (field, comparator, operand, nil)
        }
    }

    package struct Sort: Hashable, Sendable {
        package let field: FieldName
        package let ascending: Bool
        /// The origin for distances.
        package let relativeLocation: Operand?
    }

    /// A field name in a request.
    package enum FieldName: Hashable, Sendable {
        case field(String)
        case system(SystemField)
    }

    package let recordType: String
    package let filters: [Filter]
    package let sorts: [Sort]

    init(recordType: String, filters: [Filter], sorts: [Sort]) {
        (self.recordType, self.filters, self.sorts) = (recordType, filters, sorts)
    }

    package init(_ json: JSONValue?, limits: Limits) throws(ServerError) {
        guard let object = json?.object else { throw .badRequest("query is missing") }
        guard let type = object["recordType"]?.string else { throw .badRequest("query.recordType is missing") }
        recordType = type
        filters = try Self.items(object["filterBy"], "filterBy", limit: limits.filtersPerQuery) {
            (json, path) throws(ServerError) in try Filter(json, path: path)
        }
        sorts = try Self.items(object["sortBy"], "sortBy", limit: limits.sortsPerQuery) {
            (json, path) throws(ServerError) in try Sort(json, path: path)
        }
    }

    /// Clients send a lone object where an array is documented (reference A §1.3).
    private static func items<T>(
        _ json: JSONValue?, _ key: String, limit: Int, _ read: (JSONObject, String) throws(ServerError) -> T
    ) throws(ServerError) -> [T] {
        let elements: [JSONValue]
        switch json {
        case nil: return []
        case .array(let array): elements = array
        case .object: elements = [json ?? .null]
        case let other?: throw .badRequest("query.\(known: key) must be an array, not \(known: other.kind)")
        }
        guard elements.count <= limit else {
            throw .badRequest(
                "query.\(known: key) has \(elements.count) elements, at most \(limit) are allowed", .limit(limit))
        }
        var result: [T] = []
        for (index, element) in elements.enumerated() {
            let path = "query.\(key)[\(index)]"
            guard let object = element.object else {
                throw .badRequest("\(known: path) must be an object, not \(known: element.kind)")
            }
            result.append(try read(object, path))
        }
        return result
    }
}

extension Query.Filter {
    fileprivate init(_ object: JSONObject, path: String) throws(ServerError) {
        guard let name = object["comparator"]?.string else { throw .badRequest("\(known: path).comparator is missing") }
        guard let comparator = Comparator(rawValue: name) else {
            throw .badRequest("\(known: path).comparator '\(Naming.shown(name))' is unknown")
        }
        self.comparator = comparator
        let isUnnamed = object["fieldName"] == nil && object["systemFieldName"] == nil
        field = comparator.isTextSearch && isUnnamed ? nil : try Query.FieldName(object, path: path)
        distance = object["distance"]
        guard let wrapper = object["fieldValue"] else { throw .badRequest("\(known: path).fieldValue is missing") }
        operand = try Query.Operand(wrapper, path: "\(path).fieldValue")
    }
}

extension Query.Sort {
    fileprivate init(_ object: JSONObject, path: String) throws(ServerError) {
        if let wrapper = object["relativeLocation"] {
            relativeLocation = try Query.Operand(wrapper, path: "\(path).relativeLocation")
        } else {
            relativeLocation = nil
        }
        field = try Query.FieldName(object, path: path)
        guard let direction = object["ascending"] else {
            ascending = true
            return
        }
        guard let flag = direction.bool else {
            throw .badRequest("\(known: path).ascending must be true or false, not \(known: direction.kind)")
        }
        ascending = flag
    }
}

extension Query.FieldName {
    fileprivate init(_ object: JSONObject, path: String) throws(ServerError) {
        if let name = object["systemFieldName"]?.string {
            guard let field = SystemField(systemFieldName: name) else {
                throw .badRequest("\(known: path).systemFieldName '\(Naming.shown(name))' is unknown")
            }
            self = .system(field)
        } else if let name = object["fieldName"]?.string {
            self = SystemField(schemaName: name).map(Self.system) ?? .field(name)
        } else {
            throw .badRequest("\(known: path) needs a fieldName or a systemFieldName that is a string")
        }
    }
}
