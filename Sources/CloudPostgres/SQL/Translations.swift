import Synchronization

/// Caches the PostgreSQL translations of statements and definitions, shared by all connections.
enum Translations {
    private struct Known {
        var statements: [String: String] = [:]
        var scripts: [String: [String]] = [:]
    }

    /// The cache is emptied at this size, because request-dependent statements vary without limit.
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
