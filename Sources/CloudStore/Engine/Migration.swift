package import CloudSQL

/// A step that brings a database from one version of the program to the next.
package struct Migration: Sendable {
    /// The name by which a database remembers it.
    package let name: String
    /// False for one that changes no row: an engine then need not look at all rows for broken references.
    package let checksReferences: Bool
    package let run: @Sendable (SQLConnection) throws -> Void

    init(_ name: String, checksReferences: Bool = true, _ run: @escaping @Sendable (SQLConnection) throws -> Void) {
        self.name = name
        self.checksReferences = checksReferences
        self.run = run
    }

    /// - Parameter script: statements without values.
    init(_ name: String, _ script: String) { self.init(name) { try $0.script(script) } }
}

/// A database that a later version of the program has brought up to its date.
package struct NewerSchema: Error {
    /// The names of its migrations that this version does not know.
    package let unknown: Set<String>

    package init(unknown: Set<String>) { self.unknown = unknown }
}
