import CloudEngine
import CloudSQL
import Testing

/// Prepared statements and values of SQLite's driver.
@Suite(.timeLimit(.minutes(5)))
struct SQLiteDriverTests {
    private func connection(_ body: (SQLConnection) throws -> Void) throws {
        let folder = try ScratchFolder()
        let connection = try folder.open("a.sqlite")
        try connection.read(body)
        try connection.close()
    }

    @Test("Each of many texts runs its own statement, wherever the text is in memory", arguments: [true, false])
    func texts(isMadeToOrder: Bool) throws {
        try connection { db in
            for round in 0..<3 {
                for number in 0..<(isMadeToOrder ? 1_000 : 200) {
                    // Short ones are kept in the variable, long ones where others were before.
                    for text in ["SELECT \(number)", "SELECT \(number) WHERE 'a long text' <> '\(round % 2)'"] {
                        var found: Int64?
                        try db.each(text, isMadeToOrder: isMadeToOrder) {
                            found = $0.integer(0)
                            return true
                        }
                        #expect(found == Int64(number))
                    }
                }
            }
        }
    }

    @Test("Nested ad hoc statements leave the outer statement's rows alone")
    func nested() throws {
        try connection { db in
            let outer = String(repeating: "outer ", count: 100)
            var rows = 0
            try db.each(
                "SELECT value, ? FROM json_each(?)", [.text(outer), .text("[1,2,3]")], isMadeToOrder: true
            ) { row in
                rows += 1
                #expect(row.integer(0) == Int64(rows) && row.text(1) == outer)
                for number in 0..<300 {
                    let inner = String(repeating: "inner \(number) ", count: number % 40)
                    let blob = [UInt8](repeating: UInt8(number % 256), count: number * 100)
                    try db.each("SELECT ?, ?, \(number)", [.text(inner), .blob(blob)], isMadeToOrder: true) {
                        #expect($0.text(0) == inner && $0.blob(1) == blob && $0.integer(2) == Int64(number))
                        return false
                    }
                }
                #expect(row.text(1) == outer)
                return true
            }
            #expect(rows == 3)
        }
    }

    @Test(
        "Values are read as they were bound",
        arguments: [
            SQLValue.null, .integer(.min), .real(0.5), .text(""), .text("short"), .text("é \u{0} x"),
            .text(String(repeating: "long ", count: 10_000)), .blob([]), .blob([0, 1]),
            .blob([UInt8](repeating: 7, count: 100_000)),
        ])
    func values(value: SQLValue) throws {
        try connection { db in
            for _ in 0..<2 {
                let found = try db.all("SELECT ?, typeof(?1)", value) { ($0.value(0), $0.text(1)) }
                #expect(found.count == 1 && found[0].0 == value)
                if case .blob = value { #expect(found[0].1 == "blob") }
                if case .text = value { #expect(found[0].1 == "text") }
            }
        }
    }
}
