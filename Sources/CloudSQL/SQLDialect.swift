/// SQL that differs so much between engines that no shared statement works.
package protocol SQLDialect: Sendable {
    var spelling: any SQLSpelling { get }
    var upkeep: any SQLUpkeep { get }
    var words: any WordIndex { get }
    var locations: any LocationIndex { get }
    /// True if only this process writes while the database is open, so that its caches stay valid.
    var hasOneWriter: Bool { get }
}

/// Parts of statements with different spelling per engine.
package protocol SQLSpelling: Sendable {
    /// The engine's script of a layout.
    func text(of layout: Layout) -> String

    /// The most bound values in one statement.
    var mostValues: Int { get }

    /// A column's type for table definitions, with a leading blank.
    func type(of kind: SQLColumnKind) -> String

    /// A column's value in the storage form of untyped columns, which hold values of any field.
    func untyped(_ column: String) -> String

    /// A condition for numbers that lose information as `kind`. The column is a number column or an untyped column.
    func isUnfit(_ column: String, for kind: SQLColumnKind) -> String

    /// The decimal digits of a number column.
    func digits(_ column: Int, of row: SQLRow) -> String

    /// True if the planner may scan a table that looks small despite an index, and keep that plan as the table grows. A
    /// `LATERAL` subquery with a LIMIT forces one lookup per row.
    var joinsAnyhow: Bool { get }

    /// The indexed prefix of long values in text and untyped columns; nil if whole values are indexed.
    var indexPrefix: IndexPrefix? { get }

    /// A statement that indexes each zone's records by a column.
    ///
    /// - Parameter isSparse: whether to skip rows without a value.
    func index(_ name: String, on table: String, column: String, _ kind: SQLColumnKind, isSparse: Bool) -> String
}

/// Questions about an engine's own tables.
package protocol SQLUpkeep: Sendable {
    /// True if the database has a table; letter case is ignored.
    func hasTable(_ name: String, _ db: SQLConnection) throws -> Bool

    /// The highest id that a table has given out; 0 if none. Such tables never reuse ids.
    func lastID(of table: String, _ db: SQLConnection) throws -> Int64

    /// Makes the table's next ids start above `id`.
    func setLastID(_ id: Int64, of table: String, _ db: SQLConnection) throws

    /// Makes the table's next ids start above an explicitly written id, at the end of the transaction.
    func noteLastID(_ id: Int64, of table: String, _ db: SQLConnection) throws

    /// True if dropping a table takes constant time.
    var dropsAtOnce: Bool { get }

    /// The names of a table's indexes, without those of keys and constraints.
    func indexes(of table: String, _ db: SQLConnection) throws -> [String]

    /// Faults that the engine finds in its data, one sentence each.
    ///
    /// - Parameter most: the most faults per kind.
    func damage(most: Int, _ db: SQLConnection) throws -> [String]
}

/// The kinds of values that queries compare and sort.
package enum SQLColumnKind: Sendable {
    case integer, real
    /// Integers and reals in one column, compared without rounding.
    case number
    /// A name, which never contains a zero character.
    case name
    /// Text of any length and content.
    case text
}

/// A word index over records.
package protocol WordIndex: Sendable {
    /// The SQL that creates the index.
    var layout: String { get }
    /// The searched table, and its record id column.
    var table: String { get }
    var record: String { get }

    /// - Parameter tokens: separated by blanks.
    func insert(_ tokens: String, of record: Int64, _ db: SQLConnection) throws

    /// - Parameter tokens: the inserted tokens.
    func remove(_ tokens: String, of record: Int64, _ db: SQLConnection) throws

    /// Removes a record's tokens when the tokens are unknown; may take time proportional to the index.
    func removeUnknown(of record: Int64, _ db: SQLConnection) throws

    func removeAll(_ db: SQLConnection) throws

    /// Configures the maintenance of the index.
    func configure(_ db: SQLConnection) throws

    /// A condition for rows with at least one token of each group.
    ///
    /// - Parameter alias: the table's alias in the statement.
    func match(_ groups: [[String]], alias: String) -> (sql: String, values: [SQLValue])
}

/// A location index, searched by boxes.
///
/// The table `locations` stores one row per location: id, record, field, zone, latitude and longitude in degrees.
package protocol LocationIndex: Sendable {
    /// The SQL that creates the index structures beside the table.
    var layout: String { get }

    /// Statements that give the structures of ``layout`` their current names.
    var renaming: String { get }

    /// Statements that upgrade the structures to search areas directly; empty if not needed.
    var areas: String { get }

    /// Indexes a location that is being written to the table.
    func insert(_ location: IndexedLocation, _ db: SQLConnection) throws

    /// Called before the rows of a record are deleted.
    func remove(record: Int64, _ db: SQLConnection) throws

    /// Called before the rows of a zone's records are deleted.
    func remove(zone: Int64, _ db: SQLConnection) throws

    /// The source tables of locations `p` in any of the boxes, the condition on them, and the bound values of both, in
    /// this order.
    func search(
        _ boxes: [LocationBox], field: Int64, zones: [Int64]
    ) -> (source: String, condition: String, values: [SQLValue])
}

/// An indexed location.
package struct IndexedLocation: Sendable {
    package let id: Int64
    package let field: Int64
    package let zone: Int64
    package let latitude: Double
    package let longitude: Double

    package init(id: Int64, field: Int64, zone: Int64, latitude: Double, longitude: Double) {
        self.id = id
        self.field = field
        self.zone = zone
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// A box on the Earth in degrees, edges included.
package struct LocationBox: Sendable {
    package let (south, north, west, east): (Double, Double, Double, Double)

    package init(south: Double, north: Double, west: Double, east: Double) {
        (self.south, self.north, self.west, self.east) = (south, north, west, east)
    }
}
