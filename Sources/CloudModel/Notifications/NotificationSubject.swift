/// The names in a message (reference B §7.5): its recipient and the changed object. Field values are left out.
package struct NotificationSubject: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
        case query, zone, database, keyValue
    }

    /// The recipient's user record name.
    package let user: String
    /// Nil for messages of unknown form.
    package let kind: Kind?
    package let subscription: String?
    /// The record that triggered a query subscription.
    package let recordName: String?
    package let zone: String?
    package let database: DatabaseScope?

    /// - Parameter message: the sent JSON.
    package init(of message: [UInt8]) {
        let ck = (try? JSONParser.parse(message))?.object?["ck"]?.object
        let parts: [(String, Kind)] = [("qry", .query), ("fet", .zone), ("met", .database), ("kvs", .keyValue)]
        let part = parts.first { ck?[$0.0] != nil }
        let names = part.flatMap { ck?[$0.0]?.object }
        user = ck?["ckuserid"]?.string ?? ""
        kind = part?.1
        subscription = names?["sid"]?.string
        recordName = names?["rid"]?.string
        zone = names?["zid"]?.string
        database = DatabaseScope.allCases.first { $0.number == names?["dbs"]?.integer }
    }
}
