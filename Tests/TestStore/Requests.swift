package import CloudModel
package import CloudStore
import Testing

package func json(_ text: String) throws -> JSONValue { try JSONParser.parse(Array(text.utf8)) }

/// The text of one operation; `fields` and `more` are JSON too.
package func operation(
    _ type: OperationType, _ name: String?, type recordType: String? = "Note", tag: String? = nil,
    fields: String = "{}", more: String = ""
) -> String {
    var record = JSONWriter()
    record.object {
        $0.member("recordName", name)
        $0.member("recordType", recordType)
        $0.member("recordChangeTag", tag)
        $0.key("fields")
        $0.verbatim(Array(fields.utf8))
    }
    let body = String(decoding: record.bytes.dropLast(), as: UTF8.self)
    return #"{"operationType":"\#(type.rawValue)","record":\#(body)\#(more.isEmpty ? "" : ",\(more)")}}"#
}

/// The text of a reference field's value.
package func reference(_ name: String, _ action: String = "NONE") -> String {
    #"{"value":{"recordName":"\#(name)","action":"\#(action)"},"type":"REFERENCE"}"#
}

extension EnvironmentStore {
    /// records/modify with operations given as text.
    package func modify(
        _ operations: [String], zone: ZoneID = .notes, atomic: Bool = false, caller: Caller = .alice,
        growsSchema: Bool = true, limits: Limits = Limits(), clientID: String? = nil
    ) async throws -> ModifyResult {
        let parsed = try operations.enumerated().map { index, text in
            try RecordOperation.parse(json(text), at: index, defaults: Presentation(), limits: limits)
        }
        return try await records.modify(
            ModifyRequest(
                zone: zone, operations: parsed, atomic: atomic, caller: caller, growsSchema: growsSchema,
                limits: limits, clientID: clientID))
    }

    package func makeZone(_ zone: ZoneID = .notes) async throws {
        _ = try await zones.modify([.create(zone)], by: Requester(user: "_alice"), limits: Limits())[0].get()
    }

    /// The record as a response would show it.
    package func record(_ name: String, zone: ZoneID = .notes, caller: Caller = .alice) async throws -> JSONObject {
        let found = try await records.lookup(LookupRequest(zone: zone, names: [name], caller: caller))
        return try found[0].get().json()
    }

    package func exists(_ name: String, zone: ZoneID = .notes) async throws -> Bool {
        let found = try await records.lookup(LookupRequest(zone: zone, names: [name], caller: .alice))
        if case .success = found[0] { return true }
        return false
    }

    /// One page of changes as names; a deleted record's has a minus before it.
    package func changes(
        since token: String? = nil, zone: ZoneID = .notes, limit: Int = 200, types: Set<String>? = nil,
        reverse: Bool = false, caller: Caller = .alice
    ) async throws -> (names: [String], token: String, more: Bool) {
        let page = try await changes.changes(
            ZoneChangesRequest(
                zone: zone, caller: caller, syncToken: token, limit: limit, recordTypes: types, reverse: reverse))
        return (try page.records.map(changeName), page.syncToken, page.moreComing)
    }
}

/// A record's name; a deleted one's has a minus before it.
package func changeName(_ body: RecordBody) throws -> String {
    let name = try #require(body.recordName)
    return body == .tombstone(name) ? "-" + name : name
}

extension OperationOutcome {
    package var saved: JSONObject? {
        guard case .saved(let body) = self else { return nil }
        return try? body.json()
    }

    package var error: ServerError? { if case .failed(_, let error) = self { error } else { nil } }

    package var isDeleted: Bool { if case .deleted = self { true } else { false } }
}

extension ModifyResult {
    /// The change tag of the operation's record.
    package func tag(_ index: Int = 0) -> String? { outcomes[index].saved?["recordChangeTag"]?.string }

    package func error(_ index: Int = 0) -> ServerError? { outcomes[index].error }

    package var errors: [ServerError?] { outcomes.map(\.error) }
}

extension JSONObject {
    /// The value of one of a record's fields.
    package func field(_ name: String) -> JSONValue? { self["fields"]?.object?[name]?.object?["value"] }
}
