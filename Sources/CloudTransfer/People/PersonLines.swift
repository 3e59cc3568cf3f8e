package import CloudModel
package import CloudSQL

/// The lists of a person's data in an environment; each becomes a file of JSON lines in the person's export.
package enum PersonList: String, CaseIterable, Sendable {
    /// Zones of the person's private database.
    case zones
    /// Records in the person's zones.
    case records
    /// Records created by the person in the public database and in other users' zones shared with the person.
    case contributions
    /// Shares that the person owns.
    case shares
    /// Shares of other users in which the person is a member.
    case memberships
    /// The person's settings of share pages.
    case links
    case subscriptions
    case keyValues = "key-values"
    /// Devices that receive the person's notifications.
    case devices

    package func lines(user: String, from place: PersonPlace, _ db: SQLConnection) throws -> PersonLines {
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

/// A position in a list: behind a row, named by id and name.
package struct PersonPlace: Hashable, Sendable {
    package var id: Int64 = 0
    package var name = ""

    /// The start of the list.
    package init() {}

    init(id: Int64, name: String = "") {
        self.id = id
        self.name = name
    }
}

/// A chunk of a list, small enough for memory.
package struct PersonLines: Sendable {
    /// The largest number of rows in a chunk.
    static let mostRows = 500
    /// The size in bytes at which a chunk ends.
    static let mostBytes = 1 << 20

    /// JSON objects, each followed by a newline.
    package private(set) var bytes: [UInt8] = []
    /// The number of lines.
    package private(set) var count = 0
    /// Assets of the chunk's records.
    package internal(set) var assets: [AssetKey] = []
    /// The position of the next chunk; nil at the end.
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
    ///   - sql: a query that ends with LIMIT, whose value is the last parameter.
    ///   - place: the position after a row.
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
