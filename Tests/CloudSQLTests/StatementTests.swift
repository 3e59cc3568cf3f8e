import Testing

@testable import CloudSQL

/// Texts of statements.
@Suite(.timeLimit(.minutes(5)))
struct StatementTests {
    @Test(
        "A text is split into code, quoted parts and comments",
        arguments: [
            ("SELECT 'a', b", ["code SELECT ", "quoted 'a'", "code , b"]),
            ("'it''s'", ["quoted 'it'", "quoted 's'"]),
            ("\"a'b\" -- c'\nd", ["quoted \"a'b\"", "code  ", "comment -- c'\n", "code d"]),
            ("a /* ' \" */ b", ["code a ", "comment /* ' \" */", "code  b"]),
            ("a - b / c", ["code a - b / c"]),
            ("'open", ["quoted 'open"]),
            ("/* open", ["comment /* open"]),
            ("", []),
        ])
    func parts(sql: String, expected: [String]) {
        var found: [String] = []
        let same = sql.rewritingSQL { part, bytes, result in
            found.append("\(part) \(String(decoding: bytes, as: UTF8.self))")
            result += bytes
        }
        #expect(found == expected)
        #expect(same == sql)
    }

    @Test("Deferred statements have a form for many rows") func manyRows() {
        let insertion = DeferredStatement(
            insert: "INSERT INTO t (a, b)", columns: 2, replacing: "ON CONFLICT DO NOTHING", rank: 0)
        #expect(insertion.sql == "INSERT INTO t (a, b) VALUES (?, ?) ON CONFLICT DO NOTHING")
        #expect(insertion.sql(rows: 2) == "INSERT INTO t (a, b) VALUES (?, ?), (?, ?) ON CONFLICT DO NOTHING")
        let deletion = DeferredStatement(delete: "t", where: ["a", "b"], rank: 0)
        #expect(deletion.sql == "DELETE FROM t WHERE a = ? AND b = ?")
        #expect(
            deletion.sql(rows: 1)
                == "WITH given (a, b) AS (VALUES (?, ?)) DELETE FROM t WHERE (a, b) IN (SELECT a, b FROM given)")
        let update = DeferredStatement(update: "t", setting: "c = 0", columns: ["a"], key: "id", rank: 0)
        #expect(update.sql == "UPDATE t SET c = 0, a = ? WHERE id = ?")
        #expect(
            update.sql(rows: 2)
                == "WITH given (a, id) AS (VALUES (?, ?), (?, ?)) UPDATE t SET c = 0, a = given.a FROM given "
                + "WHERE t.id = given.id")
        #expect(DeferredStatement("DELETE FROM t", rank: 0).sql(rows: 2) == nil)
    }

    @Test("An index prefix cuts texts by bytes and leaves numbers whole") func prefix() {
        let prefix = IndexPrefix(bytes: 3)
        #expect(prefix.of("f1") == "substr(f1, 1, 3)")
        #expect(prefix.of(.text("aéz")) == .blob([0x61, 0xC3, 0xA9]))
        #expect(prefix.of(.text("éé")) == .blob([0xC3, 0xA9, 0xC3]))
        #expect(prefix.of(.blob([1, 2, 3, 4])) == .blob([1, 2, 3]))
        for value in [SQLValue.null, .integer(.max), .real(0.5)] { #expect(prefix.of(value) == value) }
    }

    @Test("A connection runs its own engine's script of a layout") func layout() throws {
        let driver = RecordingDriver()
        try SQLConnection(driver).script(Layout(sqlite: "a", postgres: "b") + Layout("c"))
        #expect(driver.take() == ["a\nc"])
    }

    @Test("An error names its kind and statement") func description() {
        #expect(
            SQLError(.busy, "locked", sql: "COMMIT").description
                == "database error (busy): locked - while executing `COMMIT`")
        #expect(SQLError(.full, "no room").description == "database error (full): no room")
    }
}
