import CloudModel
import CloudOperations

/// A zone's record types: types with records first, then unused types of the schema.
struct DataTypes {
    static let users = RecordType.users

    let all: [TypeInfo]

    /// - Parameters:
    ///   - counted: the types with records.
    ///   - schema: the environment's schema; nil to list types with records only.
    init(_ counted: [TypeInfo], _ schema: SchemaDefinition?) {
        let known = Set(counted.map(\.recordType))
        let others = (schema?.types.keys.sorted() ?? []).filter { !known.contains($0) && !Self.isOfSystem($0) }
        all = counted + others.map { TypeInfo(recordType: $0, count: 0, isCut: false) }
    }

    /// The type with the most records, preferring the app's types over system types; nil if there are no types.
    var largest: String? {
        let largest = { (types: [TypeInfo]) in
            types.reduce(nil as TypeInfo?) { best, type in
                guard let best, best.count >= type.count else { return type }
                return best
            }
        }
        return (largest(all.filter { !Self.isOfSystem($0.recordType) }) ?? largest(all))?.recordType
    }

    private static func isOfSystem(_ type: String) -> Bool { SchemaDefinition.builtInTypes.contains(type) }
}
