/// Definitions of tables, indexes and triggers, as a script for each engine.
///
/// Both make the same tables, with the same columns, keys and indexes.
package struct Layout: Sendable {
    package let sqlite: String
    package let postgres: String

    package init(sqlite: String, postgres: String) {
        self.sqlite = sqlite
        self.postgres = postgres
    }

    /// - Parameter script: a script that both engines take.
    package init(_ script: String) { self.init(sqlite: script, postgres: script) }

    package static func + (one: Layout, other: Layout) -> Layout {
        Layout(sqlite: one.sqlite + "\n" + other.sqlite, postgres: one.postgres + "\n" + other.postgres)
    }
}

extension SQLConnection {
    /// Runs the connection's script of a layout.
    package func script(_ layout: Layout) throws { try script(dialect.spelling.text(of: layout)) }
}
