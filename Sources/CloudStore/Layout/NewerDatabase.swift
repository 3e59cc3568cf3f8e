import CloudModel

/// A database that a later version of the program has written.
package struct NewerDatabase: Error, CustomStringConvertible {
    /// The name by which an operator finds it.
    let name: String
    /// The steps of its layout that this version does not know.
    let unknown: [String]
    /// The last step that this version knows.
    let known: String

    package var description: String { "\(fact). \(Self.remedy)" }

    /// The database and the versions, in a sentence without its stop.
    package var fact: String { "\(name) \(reason)" }

    /// The end of a sentence that begins with the database.
    var reason: String {
        "was written by a newer version of cumulus: it has the layout \(unknown.map { "'\($0)'" }.joined(separator: ", ")), "
            + "and this version, \(ProgramVersion.text), reads up to '\(known)'"
    }

    package static let remedy = "Run the newer version, or restore a backup made before the upgrade."
}

extension EngineConnection {
    /// Brings the database up to date.
    ///
    /// - Parameter name: by which an operator finds it.
    /// - Throws: ``NewerDatabase`` when a later version of the program wrote it.
    func migrate(_ migrations: [Migration], name: String) throws {
        do { try migrate(migrations) } catch let newer as NewerSchema { throw newer.database(name, migrations) }
    }

    /// - Throws: ``NewerDatabase`` when a later version of the program wrote the database.
    func refuseNewer(_ migrations: [Migration], name: String) throws {
        let unknown = try migrationNames().subtracting(migrations.map(\.name))
        if !unknown.isEmpty { throw NewerSchema(unknown: unknown).database(name, migrations) }
    }
}

extension NewerSchema {
    func database(_ name: String, _ migrations: [Migration]) -> NewerDatabase {
        NewerDatabase(name: name, unknown: unknown.sorted(), known: migrations.last?.name ?? "")
    }
}
