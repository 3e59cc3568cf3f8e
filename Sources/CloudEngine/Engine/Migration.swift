package import CloudSQL

/// A step from one database layout to the next.
package struct Migration: Sendable {
    /// The name stored in migrated databases.
    package let name: String
    /// False for a migration that changes no rows: the engine then skips its check for broken references.
    package let checksReferences: Bool
    package let run: @Sendable (SQLConnection) throws -> Void

    package init(
        _ name: String, checksReferences: Bool = true, _ run: @escaping @Sendable (SQLConnection) throws -> Void
    ) {
        self.name = name
        self.checksReferences = checksReferences
        self.run = run
    }

    package init(_ name: String, _ layout: Layout) { self.init(name) { try $0.script(layout) } }

    /// - Parameter script: statements that both engines take, without bound values.
    package init(_ name: String, _ script: String) { self.init(name, Layout(script)) }
}

/// Thrown for a database that a later program version has migrated.
package struct NewerSchema: Error {
    /// Migrations of the database that this program version does not know.
    package let unknown: Set<String>

    package init(unknown: Set<String>) { self.unknown = unknown }
}
