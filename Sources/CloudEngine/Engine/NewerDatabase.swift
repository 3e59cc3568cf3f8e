import CloudModel

/// A database written by a later program version.
package struct NewerDatabase: Error, CustomStringConvertible {
    /// The database's name for operators.
    let name: String
    /// Migrations unknown to this program version.
    let unknown: [String]
    /// The last migration that this program version knows.
    let known: String

    package var description: String { "\(fact). \(Self.remedy)" }

    /// A sentence about database and versions, without the full stop.
    package var fact: String { "\(name) \(reason)" }

    /// A sentence without its subject, the database.
    var reason: String {
        "was written by a newer version of cumulus: it has the layout \(unknown.map { "'\($0)'" }.joined(separator: ", ")), "
            + "and this version, \(ProgramVersion.text), reads up to '\(known)'"
    }

    package static let remedy = "Run the newer version, or restore a backup made before the upgrade."
}

extension EngineConnection {
    /// Runs outstanding migrations.
    ///
    /// - Parameter name: the database's name for operators.
    /// - Throws: ``NewerDatabase`` when a later program version wrote the database.
    package func migrate(_ migrations: [Migration], name: String) throws {
        do { try migrate(migrations) } catch let newer as NewerSchema { throw newer.database(name, migrations) }
    }

    /// - Throws: ``NewerDatabase`` when a later program version wrote the database.
    package func refuseNewer(_ migrations: [Migration], name: String) throws {
        let unknown = try migrationNames().subtracting(migrations.map(\.name))
        if !unknown.isEmpty { throw NewerSchema(unknown: unknown).database(name, migrations) }
    }
}

extension NewerSchema {
    package func database(_ name: String, _ migrations: [Migration]) -> NewerDatabase {
        NewerDatabase(name: name, unknown: unknown.sorted(), known: migrations.last?.name ?? "")
    }
}
