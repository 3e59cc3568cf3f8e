import Synchronization

/// Statements and layouts in PostgreSQL's words, each translated once for all connections.
enum Translations {
    private struct Known {
        var statements: [String: String] = [:]
        var scripts: [String: [String]] = [:]
    }

    /// Past this all are forgotten: statements made to order differ without end.
    private static let most = 2_000
    private static let known = Mutex(Known())

    static func statement(_ sql: String) -> String { find(sql, in: \.statements, Spelling.statement) }

    static func script(_ sql: String) -> [String] { find(sql, in: \.scripts, LayoutSpelling.script) }

    private static func find<T: Sendable>(
        _ sql: String, in texts: any WritableKeyPath<Known, [String: T]> & Sendable, _ translate: (String) -> T
    ) -> T {
        if let known = known.withLock({ $0[keyPath: texts][sql] }) { return known }
        let translated = translate(sql)
        known.withLock { known in
            if known[keyPath: texts].count >= most { known[keyPath: texts].removeAll() }
            known[keyPath: texts][sql] = translated
        }
        return translated
    }
}
