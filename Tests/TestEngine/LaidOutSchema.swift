import CloudPostgres
import CloudSQL
import CloudStore

/// A schema of records that has had all migrations and nothing else, made once in a process.
enum LaidOutSchema {
    private static let path = "laid out"

    private static let engine = Result {
        let engine = try ChosenEngine.postgres.get()
        let connection = try engine.openForWriting(path)
        try Migrations.run(on: connection, name: path)
        try connection.close()
        return engine
    }

    /// Copies the schema, unless the path has one already.
    ///
    /// - Returns: whether it did.
    static func copy(to place: String) throws -> Bool {
        let engine = try engine.get()
        guard try engine.facts(of: place) == nil else { return false }
        try engine.duplicate(path, to: place)
        return true
    }
}
