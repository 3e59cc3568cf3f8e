import CloudModel
import CloudSQL

/// Statements that look for records by their names, many at a time.
struct NamedRecords {
    /// Names in one statement. Of few sizes, so that few statements are prepared.
    private static let sizes = [64, 16, 4]

    private let one: String
    /// By whether each name is to be looked up by itself, and the number of names.
    private let many: [Bool: [Int: String]]

    /// - Parameters:
    ///   - columns: of records `r`; the name comes after them.
    ///   - condition: what holds besides.
    init(columns: String, where condition: String = "") {
        let columns = "SELECT \(columns), r.name"
        let condition = condition.isEmpty ? "" : " AND \(condition)"
        one = "\(columns) FROM records r WHERE r.name = ? AND r.zone = ?\(condition)"
        let found = "r.name = wanted.name AND r.zone = ?\(condition)"
        let sources = [
            false: "records r ON \(found)", true: "LATERAL (SELECT r.* FROM records r WHERE \(found) LIMIT 1) r",
        ]
        many = sources.mapValues { source in
            Dictionary(
                uniqueKeysWithValues: Self.sizes.map { size in
                    let names = Array(repeating: "(?)", count: size).joined(separator: ", ")
                    return (
                        size, "WITH wanted (name) AS (VALUES \(names)) \(columns) FROM wanted CROSS JOIN \(source)"
                    )
                })
        }
    }

    /// Calls `body` for each record that is there, in no order. Nothing deferred may concern these names.
    func each(_ names: [String], zone: Int64, _ db: SQLConnection, _ body: (SQLRow) throws -> Void) throws {
        var rest = names.filter { !$0.hasNullCharacter }[...]
        while !rest.isEmpty {
            let size = rest.count == 1 ? 1 : Self.sizes.last { $0 >= rest.count } ?? Self.sizes[0]
            let some = rest.prefix(size)
            // NULL is nobody's name.
            let values = some.map(SQLValue.text) + Array(repeating: .null, count: size - some.count) + [.integer(zone)]
            try db.eachBesideDeferred(many[db.dialect.joinsAnyhow]?[size] ?? one, values) {
                try body($0)
                return true
            }
            rest = rest.dropFirst(size)
        }
    }

    /// The same for one name.
    func each(_ name: String, zone: Int64, _ db: SQLConnection, _ body: (SQLRow) throws -> Void) throws {
        if name.hasNullCharacter { return }
        try db.eachBesideDeferred(one, [.text(name), .integer(zone)]) {
            try body($0)
            return true
        }
    }

    /// The same for one name, whatever is deferred.
    func first<T>(_ name: String, zone: Int64, _ db: SQLConnection, read: (SQLRow) throws -> T) throws -> T? {
        if name.hasNullCharacter { return nil }
        return try db.first(about: DeferredKey(zone, name), one, .text(name), .integer(zone), read: read)
    }
}
