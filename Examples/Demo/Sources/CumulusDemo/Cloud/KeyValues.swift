import CumulusKit

/// What one device knows of its user's key-value store, and what it has not sent yet (docs/key-value.md).
struct KeyValues {
    let device: CKContainer
    let stage: Stage
    private(set) var values: [String: String] = [:]
    private var pending: [String: String?] = [:]
    private var token = JSON.null

    init(device: CKContainer, stage: Stage) {
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
            reasons.append(answer["reason"]?.string ?? "")
            take(answer)
            more = answer["moreComing"] == true
        }
        return reasons[0]
    }

    /// Sends what was set, all of it or nothing.
    ///
    /// - Returns: what it took the place of although this device had not seen it, by key.
    mutating func push() async throws -> JSON? {
        let set = pending.compactMapValues { $0.map { ["type": "STRING", "value": .string($0)] as JSON } }
        let removed = pending.filter { $0.value == nil }.keys.sorted()
        let answer = try await ask(
            "modify", ["set": .object(set), "remove": .array(removed.map(JSON.string)), "changeToken": token])
        stage.show(answer, ["overwritten"])
        token = answer["changeToken"] ?? .null
        pending = [:]
        return answer["overwritten"]
    }

    /// Asks one of the store's endpoints.
    func ask(_ endpoint: String, _ body: JSON) async throws -> JSON {
        try await stage.server.ask(device, "keyvalue", endpoint, body)
    }

    private mutating func take(_ answer: JSON) {
        if answer["reason"] == "INITIAL_SYNC" { values = [:] }
        for (key, value) in answer["values"]?.object ?? [:] { values[key] = value["value"]?.string }
        for key in answer["removed"]?.array ?? [] { values[key.string ?? ""] = nil }
        for (key, value) in pending { values[key] = value }
        token = answer["changeToken"] ?? .null
    }
}
