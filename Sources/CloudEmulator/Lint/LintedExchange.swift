package import CloudModel

/// A client's reads, writes and tokens in one request and its answer.
package struct LintedExchange {
    /// A read of a feed.
    struct Read {
        let feed: String
        let hadToken: Bool
        /// The answer's `moreComing`; nil for a refused read, after which the client may start over.
        let moreComing: Bool?
    }

    /// A save that overwrites other clients' changes.
    struct Forced {
        let record: LintedRecord
        let operation: String
    }

    package let route: String
    package let database: DatabaseScope
    var reads: [Read] = []
    var forced: [Forced] = []
    /// Records whose tags the answer contained.
    package var known: [LintedRecord] = []
    package var written: [LintedRecord] = []
    package var deleted: [LintedRecord] = []
    var deletedZones: [String] = []
    package var pushToken: String?
    /// In seconds.
    package var retryAfter: Int?

    package init(route: String, database: DatabaseScope, body: JSONObject, answer: JSONObject) {
        (self.route, self.database) = (route, database)
        switch route {
        case "changes/zone": readZones(body, answer)
        case "records/changes":
            read(LintedRecord.zone(body), body["syncToken"], answer, isReversed: body["reverse"]?.bool)
        case "changes/database": read(nil, body["syncToken"], answer)
        case "zones/changes": read(nil, body["metaSyncToken"], answer)
        case "records/modify": readOperations(body, answer)
        case "zones/modify": readZoneOperations(body)
        case "tokens/create", "tokens/register": pushToken = Self.polled(answer)
        default: break
        }
        learn(answer, zone: LintedRecord.zone(body))
        for zone in answer["zones"]?.array ?? [] {
            if let zone = zone.object { learn(zone, zone: LintedRecord.zone(zone)) }
        }
    }

    /// The token that the client polls with; the answer may name its device's own token.
    private static func polled(_ answer: JSONObject) -> String? {
        let address = answer["webcourierURL"]?.string
        return address.flatMap { $0.firstMatch(of: /[?&]tok=([^&]*)/) }.map { String($0.1) }
    }

    /// An exchange whose request was refused as a whole.
    package init(route: String, database: DatabaseScope, body: JSONObject, refusal: ServerError) {
        (self.route, self.database) = (route, database)
        retryAfter = refusal.retryAfter
        guard refusal.retryAfter == nil else { return }
        switch route {
        case "changes/zone":
            for zone in body["zones"]?.array ?? [] { refuse(LintedRecord.zone(zone.object)) }
        case "records/changes": refuse(LintedRecord.zone(body))
        case "changes/database", "zones/changes": refuse(nil)
        default: break
        }
    }

    private mutating func refuse(_ zone: String?) {
        reads.append(Read(feed: feed(zone), hadToken: true, moreComing: nil))
    }

    private func feed(_ zone: String?) -> String {
        zone.map { "zone '\(Naming.shown($0))' of the \(database.rawValue) database" }
            ?? "the \(database.rawValue) database"
    }

    private mutating func readZones(_ body: JSONObject, _ answer: JSONObject) {
        for (asked, given) in zip(body["zones"]?.array ?? [], answer["zones"]?.array ?? []) {
            guard let asked = asked.object, let given = given.object else { continue }
            let isReversed = asked["reverse"]?.bool ?? body["reverse"]?.bool
            read(LintedRecord.zone(asked), asked["syncToken"], given, isReversed: isReversed)
        }
    }

    /// - Parameter isReversed: true for a read of the latest changes, which needs neither a token nor completion.
    private mutating func read(
        _ zone: String?, _ token: JSONValue?, _ given: JSONObject, isReversed: Bool? = false
    ) {
        guard isReversed != true else { return }
        let isRefused = given["serverErrorCode"] != nil
        retryAfter = max(retryAfter ?? 0, Self.seconds(given) ?? 0)
        reads.append(
            Read(
                feed: feed(zone), hadToken: token?.string?.isEmpty == false,
                moreComing: isRefused ? nil : given["moreComing"]?.bool ?? false))
    }

    private mutating func readOperations(_ body: JSONObject, _ answer: JSONObject) {
        let zone = LintedRecord.zone(body)
        for (operation, result) in zip(body["operations"]?.array ?? [], answer["records"]?.array ?? []) {
            guard let operation = operation.object, let result = result.object else { continue }
            guard result["serverErrorCode"] == nil else {
                retryAfter = max(retryAfter ?? 0, Self.seconds(result) ?? 0)
                continue
            }
            guard let name = result["recordName"]?.string else { continue }
            let record = LintedRecord(database: database, zone: zone, name: name)
            written.append(record)
            if result["deleted"]?.bool == true { deleted.append(record) }
            let type = operation["operationType"]?.string ?? ""
            let hasTag = operation["record"]?.object?["recordChangeTag"] != nil
            if type == "forceUpdate" || type == "forceReplace", !hasTag {
                forced.append(Forced(record: record, operation: type))
            }
        }
    }

    private mutating func readZoneOperations(_ body: JSONObject) {
        for operation in body["operations"]?.array ?? [] where operation.object?["operationType"]?.string == "delete" {
            deletedZones.append(LintedRecord.zone(operation.object?["zone"]?.object))
        }
    }

    private mutating func learn(_ answer: JSONObject, zone: String) {
        for record in answer["records"]?.array ?? [] {
            guard let record = record.object, record["recordChangeTag"] != nil, let name = record["recordName"]?.string
            else { continue }
            let home = record["zoneID"] == nil ? zone : LintedRecord.zone(record)
            known.append(LintedRecord(database: database, zone: home, name: name))
        }
    }

    private static func seconds(_ object: JSONObject) -> Int? {
        object["retryAfter"]?.integer.flatMap(Int.init(exactly:))
    }
}
