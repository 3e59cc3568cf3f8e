package import CloudModel
import CloudSQL

/// The lists of what a person has in an environment, each a file of JSON lines in an export of theirs.
package enum PersonList: String, CaseIterable, Sendable {
    /// The zones of their private database.
    case zones
    /// The records in these.
    case records
    /// Records they made in the public database and in zones that others share with them.
    case contributions
    /// Shares they own.
    case shares
    /// Shares of others they are in.
    case memberships
    /// Their settings of share pages.
    case links
    case subscriptions
    case keyValues = "key-values"
    /// Devices that get their notifications.
    case devices

    func lines(user: String, from place: PersonPlace, _ db: SQLConnection) throws -> PersonLines {
        var lines = PersonLines()
        switch self {
        case .zones: try lines.addZones(of: user, from: place, db)
        case .records: try PersonRecords(user: user, isOwn: true).add(to: &lines, from: place, db)
        case .contributions: try PersonRecords(user: user, isOwn: false).add(to: &lines, from: place, db)
        case .shares: try lines.addShares(of: user, from: place, db)
        case .memberships: try lines.addMemberships(of: user, from: place, db)
        case .links: try lines.addLinks(of: user, from: place, db)
        case .subscriptions: try lines.addSubscriptions(of: user, from: place, db)
        case .keyValues: try lines.addKeyValues(of: user, from: place, db)
        case .devices: try lines.addDevices(of: user, from: place, db)
        }
        return lines
    }
}

/// A place in a list: behind the row with this id and name.
package struct PersonPlace: Hashable, Sendable {
    var id: Int64 = 0
    var name = ""

    /// The beginning.
    package init() {}

    init(id: Int64, name: String = "") {
        self.id = id
        self.name = name
    }
}

/// A piece of a list, small enough for memory.
package struct PersonLines: Sendable {
    /// Rows that are read at once.
    static let mostRows = 500
    /// Bytes after which a piece ends.
    static let mostBytes = 1 << 20

    /// JSON objects, each ended by a newline.
    package private(set) var bytes: [UInt8] = []
    /// Lines.
    package private(set) var count = 0
    /// The assets of the records among them.
    package internal(set) var assets: [AssetKey] = []
    /// The place to go on from; nil at the end.
    package internal(set) var next: PersonPlace?

    var isFull: Bool { count >= Self.mostRows || bytes.count >= Self.mostBytes }

    mutating func append(_ line: [UInt8]) {
        bytes.append(contentsOf: line)
        bytes.append(UInt8(ascii: "\n"))
        count += 1
    }

    /// Adds a line for each row.
    ///
    /// - Parameters:
    ///   - sql: ends with a limit, whose value comes last.
    ///   - place: of a row.
    mutating func add(
        _ sql: String, _ values: [SQLValue], _ db: SQLConnection, place: (SQLRow) -> PersonPlace,
        members: (SQLRow, inout JSONWriter) throws -> Void
    ) throws {
        try db.each(sql, values + [.integer(Int64(Self.mostRows))]) { row in
            var line = JSONWriter(capacity: 512)
            var failure: (any Error)?
            line.object { do { try members(row, &$0) } catch { failure = error } }
            if let failure { throw failure }
            append(line.bytes)
            guard isFull else { return true }
            next = place(row)
            return false
        }
    }
}
