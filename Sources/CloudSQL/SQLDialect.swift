/// SQL that engines spell or run so differently that no statement serves them all.
package protocol SQLDialect: SQLSpelling, SQLWriters, SQLUpkeep {
    var words: any WordIndex { get }
    var locations: any LocationIndex { get }
}

/// Parts of statements that engines spell differently.
package protocol SQLSpelling: Sendable {
    /// The most values that one statement takes.
    var mostValues: Int { get }

    /// The type of a column as layouts have it, with a blank before it.
    func type(of kind: SQLColumnKind) -> String

    /// A column of values as columns without a type hold them, such as those that hold values of any field.
    func untyped(_ column: String) -> String

    /// The condition that a number cannot become one of a kind without being another. It is in a column of numbers, or
    /// of values of any field.
    func isUnfit(_ column: String, for kind: SQLColumnKind) -> String

    /// A number from such a column in digits.
    func digits(_ column: Int, of row: SQLRow) -> String

    /// True if a join may go through a table that seems small, though an index finds the rows. As the table grows that goes
    /// on, until the statement is planned anew; a `LATERAL` subquery with a LIMIT looks up each row by itself.
    var joinsAnyhow: Bool { get }

    /// The part of long values that indexes have, of text in columns of values and of columns without a type; nil for
    /// all of it.
    var indexPrefix: IndexPrefix? { get }

    /// The statement that makes an index over the records of each zone in the order of a column.
    ///
    /// - Parameter isSparse: whether rows without a value are left out.
    func index(_ name: String, on table: String, column: String, _ kind: SQLColumnKind, isSparse: Bool) -> String
}

/// Knowledge of who writes to a database.
package protocol SQLWriters: Sendable {
    /// True if only this process writes while it has a database open, so that it can go on from what it wrote last.
    var hasOneWriter: Bool { get }
}

/// Questions about an engine's own tables.
package protocol SQLUpkeep: Sendable {
    /// The highest id that a table whose ids are never used again has given out; 0 when it has given none.
    func lastID(of table: String, _ db: SQLConnection) throws -> Int64

    /// Has such a table go on after an id.
    func setLastID(_ id: Int64, of table: String, _ db: SQLConnection) throws

    /// Has such a table go on after the last of the ids that rows were written with, at the end of the transaction.
    func noteLastID(_ id: Int64, of table: String, _ db: SQLConnection) throws

    /// True if a table is dropped in no time, whatever is in it.
    var dropsAtOnce: Bool { get }

    /// The names of a table's indexes, but for those that its keys have.
    func indexes(of table: String, _ db: SQLConnection) throws -> [String]

    /// Faults that the engine itself finds in what it holds, in sentences.
    ///
    /// - Parameter most: of one kind.
    func damage(most: Int, _ db: SQLConnection) throws -> [String]
}

/// The values of a column that queries compare and sort by.
package enum SQLColumnKind: Sendable {
    case integer, real
    /// Integers beside reals, which are compared without rounding.
    case number
    /// A name, which no client can give a zero character.
    case name
    /// Text of any length and content.
    case text
}

/// An index of the records that have a word.
package protocol WordIndex: Sendable {
    /// The layout of the index.
    var layout: String { get }
    /// The table to search; its column of record ids.
    var table: String { get }
    var record: String { get }

    /// - Parameter tokens: with a blank between them.
    func insert(_ tokens: String, of record: Int64, _ db: SQLConnection) throws

    /// - Parameter tokens: those that it was inserted with.
    func remove(_ tokens: String, of record: Int64, _ db: SQLConnection) throws

    /// Removes a record's tokens where nobody knows them any more, in a time that may grow with the index.
    func removeUnknown(of record: Int64, _ db: SQLConnection) throws

    func removeAll(_ db: SQLConnection) throws

    /// Sets how the index is kept from here on.
    func configure(_ db: SQLConnection) throws

    /// The condition on a row of the table: that it has one token at least of each group.
    ///
    /// - Parameter alias: of the table in the statement.
    func match(_ groups: [[String]], alias: String) -> (sql: String, values: [SQLValue])
}

/// An index of locations, which finds those in some boxes.
///
/// A location is a row of the table `locations` with id, record, field, zone, latitude and longitude in degrees.
package protocol LocationIndex: Sendable {
    /// The layout of what is kept besides that table.
    var layout: String { get }

    /// Statements that give what is kept besides that table its present names, from those that ``layout`` made it with.
    var renaming: String { get }

    /// Statements that have what is kept besides that table find what is in an area without what is beside it; nothing
    /// where it does already.
    var areas: String { get }

    /// Adds a location that is written to the table.
    func insert(_ location: IndexedLocation, _ db: SQLConnection) throws

    /// To be called before the rows of a record go.
    func remove(record: Int64, _ db: SQLConnection) throws

    /// To be called before the rows of a zone's records go.
    func remove(zone: Int64, _ db: SQLConnection) throws

    /// The tables from which locations `p` come that are in one of the boxes, and the condition on them, with what is
    /// bound to both in this order.
    func search(
        _ boxes: [LocationBox], field: Int64, zones: [Int64]
    ) -> (source: String, condition: String, values: [SQLValue])
}

/// A location as it is found.
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

/// A part of the earth, in degrees, with its edges.
package struct LocationBox: Sendable {
    package let (south, north, west, east): (Double, Double, Double, Double)

    package init(south: Double, north: Double, west: Double, east: Double) {
        (self.south, self.north, self.west, self.east) = (south, north, west, east)
    }
}
