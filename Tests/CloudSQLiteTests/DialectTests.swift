import CloudEngine
import CloudSQL
import Testing

@testable import CloudSQLite

/// SQLite's answers to the questions of ``SQLDialect``.
@Suite(.timeLimit(.minutes(5)))
struct DialectTests {
    private let folder: ScratchFolder
    private let connection: any EngineConnection
    private let dialect = SQLiteDialect()

    init() throws {
        folder = try ScratchFolder()
        connection = try folder.open("a.sqlite")
    }

    @Test("A table is found in any letter case, and an index is none") func tables() throws {
        try connection.use { db in
            try db.script("CREATE TABLE Parents (id INTEGER PRIMARY KEY); CREATE INDEX parents_id ON parents (id)")
            #expect(try db.hasTable("parents") && db.hasTable("PARENTS"))
            #expect(try !db.hasTable("parents_id") && !db.hasTable("others"))
        }
    }

    @Test("A table's ids start above the last id that is set, also if its rows are gone") func ids() throws {
        try connection.use { db in
            try db.script("CREATE TABLE given (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT)")
            #expect(try dialect.upkeep.lastID(of: "given", db) == 0)
            for last in [5, 9] {
                try dialect.upkeep.setLastID(Int64(last), of: "given", db)
                #expect(try db.insert("INSERT INTO given (name) VALUES ('a') RETURNING id") == Int64(last + 1))
                try db.run("DELETE FROM given")
                #expect(try dialect.upkeep.lastID(of: "given", db) == Int64(last + 1))
            }
        }
    }

    @Test("Indexes of keys and constraints are not listed") func indexes() throws {
        try connection.use { db in
            try db.script("CREATE TABLE values_1 (id INTEGER PRIMARY KEY, zone INTEGER, f1, f2 UNIQUE)")
            let sparse = dialect.spelling.index("i1", on: "values_1", column: "f1", .text, isSparse: true)
            #expect(sparse == "CREATE INDEX i1 ON values_1 (zone, f1, id) WHERE f1 IS NOT NULL")
            try db.script(sparse)
            #expect(try dialect.upkeep.indexes(of: "values_1", db) == ["i1"])
        }
    }

    @Test("Broken references are named, up to a number") func damage() throws {
        try connection.use { db in
            try db.script(
                """
                CREATE TABLE parents (id INTEGER PRIMARY KEY);
                CREATE TABLE children (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parents (id));
                PRAGMA foreign_keys = OFF;
                INSERT INTO children VALUES (1, 7), (2, 8), (3, NULL);
                """)
            #expect(
                try dialect.upkeep.damage(most: 1, db) == [
                    "row 1 of children refers to a row of parents that is not there"
                ])
            #expect(try dialect.upkeep.damage(most: 10, db).count == 2)
            try db.run("DELETE FROM children")
            #expect(try dialect.upkeep.damage(most: 10, db).isEmpty)
        }
    }

    @Test(
        "A number is unfit for a column that would round it",
        arguments: [
            (SQLValue.integer(3), SQLColumnKind.integer, false), (.real(3), .integer, false),
            (.real(0.5), .integer, true),
            (.integer(1 << 53), .real, false), (.integer((1 << 53) + 1), .real, true), (.real(0.5), .real, false),
            (.integer((1 << 53) + 1), .number, false), (.real(0.5), .text, false),
        ] as [(SQLValue, SQLColumnKind, Bool)])
    func unfit(value: SQLValue, kind: SQLColumnKind, expected: Bool) throws {
        try connection.use { db in
            try db.script("CREATE TABLE given (value)")
            try db.run("INSERT INTO given VALUES (?)", value)
            let found = try db.first("SELECT \(dialect.spelling.isUnfit("value", for: kind)) FROM given") { $0.bool(0) }
            #expect(found == expected)
        }
    }

    @Test("A search finds rows with a token of each group, and removed tokens find nothing") func words() throws {
        let words = dialect.words
        try connection.use { db in
            try db.script(words.layout)
            try words.configure(db)
            func found(_ groups: [[String]]) throws -> [Int64] {
                let (condition, values) = words.match(groups, alias: "w")
                var records: [Int64] = []
                try db.each("SELECT w.\(words.record) FROM \(words.table) AS w WHERE \(condition) ORDER BY 1", values) {
                    records.append($0.integer(0))
                    return true
                }
                return records
            }
            try words.insert("1:1:tea 1:1:cake", of: 1, db)
            try words.insert("1:1:tea 1:1:bread", of: 2, db)
            #expect(try found([["1:1:tea"]]) == [1, 2])
            #expect(try found([["1:1:tea"], ["1:1:cake", "1:1:pie"]]) == [1])
            #expect(try found([["1:2:tea"]]).isEmpty)
            try words.remove("1:1:tea 1:1:cake", of: 1, db)
            #expect(try found([["1:1:tea"], ["1:1:cake", "1:1:bread"]]) == [2])
            try words.removeUnknown(of: 2, db)
            #expect(try found([["1:1:tea"]]).isEmpty)
            try words.insert("1:1:tea", of: 3, db)
            try words.removeAll(db)
            #expect(try found([["1:1:tea"]]).isEmpty)
        }
    }
}
