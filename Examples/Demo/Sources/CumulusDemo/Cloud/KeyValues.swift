import NIOHTTP1

/// What one device knows of its user's key-value store, and what it has not sent yet (docs/key-value.md).
struct KeyValues {
    let device: CloudClient
    let stage: Stage
    private(set) var values: [String: String] = [:]
    private var pending: [String: String?] = [:]
    private var token = JSON.null

    init(device: CloudClient, stage: Stage) {
        self.device = device
        self.stage = stage
    }

    /// Sets a value, or removes it; nobody else hears of that before the next ``push()``.
    mutating func set(_ key: String, _ value: String?) {
        values[key] = value
        pending[key] = .some(value)
    }

    /// Takes in what is new.
    ///
    /// - Returns: why there was something.
    mutating func pull() async throws -> String {
        var reasons: [String] = []
        var more = true
        while more {
            let answer = try await ask("changes", ["changeToken": token])
            stage.show(answer, ["reason", "values", "removed"])
            reasons.append(answer.body["reason"]?.string ?? "")
            take(answer)
            more = answer.body["moreComing"]?.bool ?? false
        }
        return reasons[0]
    }

    /// Sends what was set, all of it or nothing.
    ///
    /// - Returns: what it took the place of although this device had not seen it, by key.
    mutating func push() async throws -> JSON? {
        let set = pending.compactMap { key, value in
            value.map { JSON.Member(key: key, value: ["type": "STRING", "value": .string($0)]) }
        }
        let removed = pending.filter { $0.value == nil }.keys.sorted()
        let answer = try await ask(
            "modify",
            [
                "set": .object(set.sorted { $0.key < $1.key }), "remove": .array(removed.map { .string($0) }),
                "changeToken": token,
            ])
        stage.show(answer, ["overwritten"])
        token = answer.body["changeToken"] ?? .null
        pending = [:]
        return answer.body["overwritten"]
    }

    /// Asks one of the store's endpoints.
    func ask(_ endpoint: String, _ body: JSON) async throws -> CloudAnswer {
        try await stage.call(device, .POST, "/keyvalue/1/\(device.container)/development/\(endpoint)", body)
    }

    private mutating func take(_ answer: CloudAnswer) {
        if answer.body["reason"] == "INITIAL_SYNC" { values = [:] }
        if case .object(let members) = answer.body["values"] {
            for member in members { values[member.key] = member.value["value"]?.string }
        }
        for key in answer.body["removed"]?.array ?? [] { values[key.string ?? ""] = nil }
        for (key, value) in pending { values[key] = value }
        token = answer.body["changeToken"] ?? .null
    }
}
