import CloudSQL
import Testing

@testable import CloudSQLite

struct PlannerHintTests {
    @Test(
        "SQLite gets the hints of comments as code",
        arguments: [
            ("SELECT 1 FROM a /*!INDEXED BY i*/ WHERE b = ?", "SELECT 1 FROM a  INDEXED BY i  WHERE b = ?"),
            ("SELECT 1 FROM a /*!CROSS*/ JOIN b ON /*!+*/a.x = b.x", "SELECT 1 FROM a  CROSS  JOIN b ON  + a.x = b.x"),
            ("SELECT '/*!a*/', \"/*!b*/\" /* c */ -- /*!d*/", "SELECT '/*!a*/', \"/*!b*/\" /* c */ -- /*!d*/"),
        ])
    func reveals(sql: String, expected: String) { #expect(PlannerHints.revealed(sql) == expected) }
}
