import CloudModel
import CloudSQL

/// Statements that find records by name, many at a time.
struct NamedRecords {
    /// Names per statement. Few sizes, so that few statements are prepared.
    private static let sizes = [64, 16, 4]

    private let one: String
    /// Statements by the engine's need for a separate lookup per name, and by the number of names.
    private let many: [Bool: [Int: String]]

    /// - Parameters:
    ///   - columns: columns of records `r`; the name follows them.
    ///   - condition: a further condition.
    init(columns: String, where condition: String = "") {
        let columns = "SELECT \(columns), r.name"
        let condition = condition.isEmpty ? "" : " AND \(condition)"
        one = "\(columns) FROM records r WHERE r.name = ? AND r.zone = ?\(condition)"
        let found = "r.name = wanted.name AND r.zone = ?\(condition)"
        let sources = [
            false: "/*!CROSS*/ JOIN records r ON \(found)",
            true: "CROSS JOIN LATERAL (SELECT r.* FROM records r WHERE \(found) LIMIT 1) r",
        ]
        many = sources.mapValues { source in
            Dictionary(
                uniqueKeysWithValues: Self.sizes.map { size in
                    let names = Array(repeating: "(?)", count: size).joined(separator: ", ")
                    return (
                        size, "WITH wanted (name) AS (VALUES \(names)) \(columns) FROM wanted \(source)"
                    )
                })
        }
    }

    /// Calls `body` for each existing record, in any order. No deferred write may concern these names.
    func each(_ names: [String], zone: Int64, _ db: SQLConnection, _ body: (SQLRow) throws -> Void) throws {
        var rest = names.filter { !$0.hasNullCharacter }[...]
        while !rest.isEmpty {
            let size = rest.count == 1 ? 1 : Self.sizes.last { $0 >= rest.count } ?? Self.sizes[0]
            let some = rest.prefix(size)
            // Pad with NULL, which matches no name.
            let values = some.map(SQLValue.text) + Array(repeating: .null, count: size - some.count) + [.integer(zone)]
            try db.eachBesideDeferred(many[db.dialect.spelling.joinsAnyhow]?[size] ?? one, values) {
                try body($0)
                return true
            }
            rest = rest.dropFirst(size)
        }
    }

    /// Calls `body` for the record with this name. No deferred write may concern it.
    func each(_ name: String, zone: Int64, _ db: SQLConnection, _ body: (SQLRow) throws -> Void) throws {
        if name.hasNullCharacter { return }
        try db.eachBesideDeferred(one, [.text(name), .integer(zone)]) {
            try body($0)
            return true
        }
    }

    /// Reads the record with this name, with deferred writes applied.
    func first<T>(_ name: String, zone: Int64, _ db: SQLConnection, read: (SQLRow) throws -> T) throws -> T? {
        if name.hasNullCharacter { return nil }
        return try db.first(about: DeferredKey(zone, name), one, .text(name), .integer(zone), read: read)
    }
}
