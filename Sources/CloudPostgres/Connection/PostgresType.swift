import CPostgres

/// A type's OID; OIDs of built-in types never change (postgresql.org/docs/15/catalog-pg-type.html).
struct PostgresType: RawRepresentable, Hashable, Sendable {
    let rawValue: Oid

    static let bool = PostgresType(rawValue: 16)
    static let bytea = PostgresType(rawValue: 17)
    static let name = PostgresType(rawValue: 19)
    static let int8 = PostgresType(rawValue: 20)
    static let int2 = PostgresType(rawValue: 21)
    static let int4 = PostgresType(rawValue: 23)
    static let text = PostgresType(rawValue: 25)
    static let json = PostgresType(rawValue: 114)
    static let float8 = PostgresType(rawValue: 701)
    static let unknown = PostgresType(rawValue: 705)
    static let void = PostgresType(rawValue: 2278)

    /// The array type's name; nil for types written row by row.
    var arrayName: String? {
        switch self {
        case .bytea: "bytea[]"
        case .int8: "bigint[]"
        case .text: "text[]"
        case .float8: "float8[]"
        default: nil
        }
    }
}
