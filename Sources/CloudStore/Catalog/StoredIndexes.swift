import CloudModel
import CloudSQL

/// The indexes of the values tables, and the fields of which words are kept: what the schema marks, and what queries
/// have asked for since.
enum StoredIndexes {
    static let sql = Layout(
        sqlite: """
            -- An index of a column of a type's values tables, or the words of a field (kind 1, name is the field's id).
            -- generation says which of the type's tables is the first that has all of it.
            CREATE TABLE indexes (
                record_type INTEGER NOT NULL REFERENCES record_types (id),
                kind INTEGER NOT NULL,
                name TEXT NOT NULL,
                generation INTEGER NOT NULL,
                PRIMARY KEY (record_type, kind, name)
            ) WITHOUT ROWID;

            -- Indexes that nobody asks any more.
            CREATE TABLE dropped_indexes (name TEXT PRIMARY KEY) WITHOUT ROWID;
            """,
        postgres: """
            CREATE TABLE indexes (
                record_type BIGINT NOT NULL REFERENCES record_types (id),
                kind BIGINT NOT NULL,
                name TEXT COLLATE "C" NOT NULL,
                generation BIGINT NOT NULL,
                PRIMARY KEY (record_type, kind, name)
            );
            CREATE TABLE dropped_indexes (name TEXT COLLATE "C" PRIMARY KEY);
            """)

    enum Kind {
        case values(column: String)
        case words(field: Int64)

        fileprivate var stored: (kind: SQLValue, name: SQLValue) {
            switch self {
            case .values(let column): (.integer(0), .text(column))
            case .words(let field): (.integer(1), .text(String(field)))
            }
        }
    }

    static func all(_ db: SQLConnection) throws -> [(type: Int64, kind: Kind, generation: Int64)] {
        try db.all("SELECT record_type, kind, name, generation FROM indexes") { row in
            let name = row.text(2)
            let kind = row.integer(1) == 0 ? Kind.values(column: name) : .words(field: Int64(name) ?? 0)
            return (row.integer(0), kind, row.integer(3))
        }
    }

    static func add(_ kind: Kind, type: Int64, generation: Int64, _ db: SQLConnection) throws {
        try db.run(
            """
            INSERT INTO indexes (record_type, kind, name, generation) VALUES (?, ?, ?, ?)
            ON CONFLICT (record_type, kind, name) DO UPDATE SET generation = excluded.generation
            """,
            .integer(type), kind.stored.kind, kind.stored.name, .integer(generation))
    }

    static func remove(_ kind: Kind, type: Int64, _ db: SQLConnection) throws {
        try db.run(
            "DELETE FROM indexes WHERE record_type = ? AND kind = ? AND name = ?", .integer(type), kind.stored.kind,
            kind.stored.name)
    }
}

extension RecordType {
    /// Returns true if the column's index is complete and can lead queries.
    func hasIndex(_ column: String) -> Bool { indexes[column].map { $0 <= generation } ?? false }

    /// Returns true if the words of the field are indexed for every record.
    func hasWords(of field: FieldDefinition) -> Bool { field.words.map { $0 <= generation } ?? false }

    /// Fields with a word index, ordered by id.
    var worded: [FieldDefinition] { fields.values.filter { $0.words != nil }.sorted { $0.id < $1.id } }

    /// Columns whose index the schema requires.
    var markedColumns: Set<String> {
        let values: Set<IndexKind> = [.queryable, .sortable]
        var columns = Set(
            fields.values.filter { $0.type.isQueryable && !$0.type.isList && !$0.indexes.isDisjoint(with: values) }
                .map { SchemaTables.column(.field($0)) })
        for (field, column) in SchemaTables.systemColumns where field != .recordName {
            let marks = ImplicitField(field).flatMap { implicit[$0] } ?? []
            if !marks.isDisjoint(with: values) { columns.insert(column) }
        }
        if grants.showOnlyOwn { columns.insert(SchemaTables.column(.system(.createdUserRecordName))) }
        return columns
    }
}

extension Grants {
    /// True if users may read only their own records, so that every query filters by creator.
    fileprivate var showOnlyOwn: Bool {
        let mayRead = { (role: String) in permissions[role]?.contains(.read) == true }
        return mayRead(Self.creator) && !mayRead(Self.world) && !mayRead(Self.authenticated)
    }
}
