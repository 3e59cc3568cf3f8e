/// One key of a `modify` request: its new value, or its removal.
package struct KeyValueEdit: Hashable, Sendable {
    /// A stored value and its size for the quota.
    package struct Value: Hashable, Sendable {
        package let json: [UInt8]
        package let byteCount: Int

        package init(_ value: PropertyValue) {
            json = value.json
            byteCount = value.byteCount
        }
    }

    package let key: String
    /// Nil removes the key.
    package let value: Value?

    package init(key: String, value: PropertyValue?) {
        self.key = key
        self.value = value.map(Value.init)
    }
}

extension KeyValueEdit {
    /// Parses the edits of `{"set": {key: value}, "remove": [key]}`; keys are unique.
    ///
    /// - Throws: `BAD_REQUEST` with the key, for unreadable input; `QUOTA_EXCEEDED` for a value over its limit and for too many
    ///   keys.
    package static func edits(in body: JSONObject, limits: Limits) throws(ServerError) -> [KeyValueEdit] {
        let set = try settings(body["set"], limits: limits)
        let removed = try removals(body["remove"], limits: limits)
        let both = Set(set.map { Array($0.key.utf8) })
        for edit in removed where both.contains(Array(edit.key.utf8)) {
            throw .badRequest("key '\(Naming.shown(edit.key))' is both in set and in remove")
        }
        return set + removed
    }

    private static func settings(_ json: JSONValue?, limits: Limits) throws(ServerError) -> [KeyValueEdit] {
        guard let json else { return [] }
        guard let object = json.object else {
            throw .badRequest("set must be an object of keys and values, not \(known: json.kind)")
        }
        guard object.members.count <= limits.keyValues.keys else {
            throw ServerError(
                .quotaExceeded,
                "set has \(object.members.count) keys, and the key-value store holds at most \(limits.keyValues.keys)",
                .limit(limits.keyValues.keys, "limit.keyValueKeys"))
        }
        var edits: [KeyValueEdit] = []
        for member in object.members {
            try check(key: member.key, limits: limits)
            edits.append(KeyValueEdit(key: member.key, value: try value(member, limits: limits)))
        }
        return edits
    }

    private static func value(_ member: JSONObject.Member, limits: Limits) throws(ServerError) -> PropertyValue {
        let name = "set.\(Naming.shown(member.key))"
        if member.value == .null { throw .badRequest("\(name) is null; to remove a key, name it in remove") }
        let value: PropertyValue
        do { value = try PropertyValue(member.value) } catch {
            throw .badRequest("\(name)\(error.path) \(known: error.reason)")
        }
        let count = value.byteCount
        guard count <= limits.keyValues.valueBytes else {
            throw ServerError(
                .quotaExceeded,
                "\(name) has \(count) bytes, at most \(limits.keyValues.valueBytes) are allowed for a value",
                .limit(limits.keyValues.valueBytes, "limit.keyValueValueBytes"))
        }
        return value
    }

    private static func removals(_ json: JSONValue?, limits: Limits) throws(ServerError) -> [KeyValueEdit] {
        guard let json else { return [] }
        guard let keys = json.array else {
            throw .badRequest("remove must be an array of keys, not \(known: json.kind)")
        }
        guard keys.count <= limits.keyValues.keys else {
            throw .badRequest(
                "remove has \(keys.count) keys, at most \(limits.keyValues.keys) are allowed in one request",
                .limit(limits.keyValues.keys, "limit.keyValueKeys"))
        }
        var seen: Set<[UInt8]> = []
        var edits: [KeyValueEdit] = []
        for (index, json) in keys.enumerated() {
            guard let key = json.string else {
                throw .badRequest("remove[\(index)] must be a string, not \(known: json.kind)")
            }
            try check(key: key, limits: limits)
            if seen.insert(Array(key.utf8)).inserted { edits.append(KeyValueEdit(key: key, value: nil)) }
        }
        return edits
    }

    private static func check(key: String, limits: Limits) throws(ServerError) {
        if key.isEmpty { throw .badRequest("a key must not be empty") }
        if key.hasNullCharacter {
            throw .badRequest("key '\(Naming.shown(key))' must not contain the character U+0000")
        }
        guard key.utf8.count <= limits.keyValues.keyBytes else {
            throw .badRequest(
                "key '\(Naming.shown(key))' has \(key.utf8.count) bytes of UTF-8, at most "
                    + "\(limits.keyValues.keyBytes) are allowed")
        }
    }
}
