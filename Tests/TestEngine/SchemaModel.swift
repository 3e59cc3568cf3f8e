import CloudAccounts
import CloudEngine
import CloudSQL
import CloudStore
import Foundation

/// A freshly migrated schema, to which used schemas are made equal.
struct SchemaModel {
    private let name: String
    private let layout: String?
    private let tables: [String]
    /// Tables with rows that the migrations wrote.
    private let filled: Set<String>
    /// Calls that have each sequence go on as the model's does, with `%` for the schema.
    private let sequences: [String]
    private let control: any EngineConnection
    private let kind: SpareSchemas.Kind

    init(_ kind: SpareSchemas.Kind, in engine: any StoreEngine) throws {
        let path = try Self.layOut(kind, in: engine)
        let control = try engine.opener.openForReading(path)
        let name = Self.schema(of: path, in: engine)
        (self.kind, self.control, self.name) = (kind, control, name)
        layout = try control.use { try Self.layout(of: name, $0) }
        (tables, filled, sequences) = try control.use { db in
            let tables = try db.all("SELECT tablename FROM pg_tables WHERE schemaname = ?", .text(name)) { $0.text(0) }
            let filled = try tables.filter { table in
                try db.first("SELECT 1 FROM \"\(name)\".\"\(table)\" LIMIT 1") { _ in true } != nil
            }
            let sequences = try db.all(
                "SELECT sequencename FROM pg_sequences WHERE schemaname = ?", .text(name)
            ) { $0.text(0) }
            let calls = try sequences.map { sequence in
                try db.first("SELECT last_value, is_called FROM \"\(name)\".\"\(sequence)\"") { row in
                    "setval('\"%\".\"\(sequence)\"', \(row.integer(0)), \(row.text(1) == "t"))"
                } ?? ""
            }
            return (tables, Set(filled), calls)
        }
    }

    private static func layOut(_ kind: SpareSchemas.Kind, in engine: any StoreEngine) throws -> String {
        let parent = FileManager.default.temporaryDirectory.appending(path: "model-\(UUID().uuidString)").path()
        switch kind {
        case .records:
            let path = parent + "/records.sqlite"
            let connection = try engine.opener.openForWriting(path)
            try Migrations.run(on: connection, name: path)
            try connection.close()
            return path
        case .accounts:
            // The store locks a file beside its database.
            defer { try? FileManager.default.removeItem(atPath: parent) }
            let folder = try DataFolder(path: parent, engine: engine)
            try AccountStore(folder: folder).close()
            return folder.accountsFile
        }
    }

    /// The schema, which the engine names to operators with its last word.
    private static func schema(of path: String, in engine: any StoreEngine) -> String {
        engine.locations.name(of: path).split(separator: " ").last.map(String.init) ?? ""
    }

    /// Makes a used schema equal to the model, but for the identity of a records database.
    ///
    /// - Returns: false, without a change, where the layout differs from the model's in more than added tables.
    func empty(_ path: String, of engine: any StoreEngine) throws -> Bool {
        let used = Self.schema(of: path, in: engine)
        return try control.use { db in
            let all = try db.all("SELECT tablename FROM pg_tables WHERE schemaname = ?", .text(used)) { $0.text(0) }
            // A record type's values have a table of their own.
            let added = Set(all).subtracting(tables).map { "DROP TABLE \"\(used)\".\"\($0)\";" }
            do {
                // Without triggers and foreign keys.
                try db.script("BEGIN; SET LOCAL session_replication_role = replica; \(added.joined())")
                let isEqual = try Self.layout(of: used, db) == layout
                try db.script(isEqual ? "\(emptying(used)) COMMIT" : "ROLLBACK")
                return isEqual
            } catch {
                try db.rollBack()
                throw error
            }
        }
    }

    private func emptying(_ used: String) -> String {
        let deletions = tables.map { "DELETE FROM \"\(used)\".\"\($0)\";" }
        let insertions = filled.map {
            "INSERT INTO \"\(used)\".\"\($0)\" OVERRIDING SYSTEM VALUE SELECT * FROM \"\(name)\".\"\($0)\";"
        }
        let numbers = "SELECT \(sequences.joined(separator: ",").replacing("%", with: used));"
        let identity = kind == .records ? identity(of: used) : ""
        return deletions.joined() + insertions.joined() + numbers + identity
    }

    private func identity(of used: String) -> String {
        let secret = (0..<32).map { _ in String(format: "%02x", UInt8.random(in: 0 ... .max)) }.joined()
        return """
            UPDATE "\(used)".store SET incarnation = \(Int64.random(in: 1 ... .max)), secret = '\\x\(secret)';
            """
    }

    /// A digest of the tables, their columns, keys and indexes, of the triggers and functions of a schema.
    private static func layout(of schema: String, _ db: SQLConnection) throws -> String? {
        try db.first(
            """
            WITH own AS (SELECT oid, relname, relkind FROM pg_class WHERE relnamespace = to_regnamespace(?1))
            SELECT md5(string_agg(part, ' ' ORDER BY part)) FROM (
                SELECT concat_ws(' ', relkind, relname) FROM own
                UNION ALL
                SELECT concat_ws(' ', relname, attnum, attname, atttypid, attnotnull, atthasdef, attidentity)
                FROM own JOIN pg_attribute ON attrelid = own.oid WHERE relkind = 'r' AND attnum > 0
                UNION ALL
                SELECT concat_ws(' ', relname, indkey, indisunique, md5(concat(indpred, indexprs)))
                FROM own JOIN pg_index ON indexrelid = own.oid
                UNION ALL
                SELECT concat_ws(' ', relname, tgname, tgenabled)
                FROM own JOIN pg_trigger ON tgrelid = own.oid WHERE NOT tgisinternal
                UNION ALL
                SELECT concat_ws(' ', proname, md5(prosrc)) FROM pg_proc WHERE pronamespace = to_regnamespace(?1)
                UNION ALL
                SELECT conname FROM pg_constraint WHERE connamespace = to_regnamespace(?1)
            ) AS parts (part)
            """, .text("\"\(schema)\"")
        ) { $0.text(0) }
    }
}
