import Testing

@testable import CloudPostgres

struct ParametersTests {
    @Test(
        "Parameters are numbered outside literals, names and comments",
        arguments: [
            ("SELECT a FROM t WHERE b = ? AND c = ?", "SELECT a FROM t WHERE b = $1 AND c = $2"),
            ("SELECT ?2, ?", "SELECT $2, $3"), ("SELECT ?12+?1,?", "SELECT $12+$1,$13"),
            ("SELECT '?''?' -- why?\n, \"?\", ? /* ? */", "SELECT '?''?' -- why?\n, \"?\", $1 /* ? */"),
            ("SELECT 1 /*!CROSS*/ WHERE a = ?", "SELECT 1 /*!CROSS*/ WHERE a = $1"), ("?", "$1"), ("", ""),
            ("SELECT 'open ?", "SELECT 'open ?"), ("/*?", "/*?"), ("é ? ü", "é $1 ü"),
        ])
    func numbers(sql: String, expected: String) { #expect(Parameters.numbered(sql) == expected) }
}
