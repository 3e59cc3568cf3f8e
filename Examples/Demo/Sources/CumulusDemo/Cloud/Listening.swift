import NIOHTTP1

// Being told of changes, on the stage.

extension Stage {
    /// Opens the line by which a device is told of changes.
    func connect(_ device: CloudClient) async throws -> Courier {
        let answer = try await call(
            device, .POST, "/device/1/\(device.container)/development/tokens/create",
            ["apnsEnvironment": "development", "clientId": .string(device.clientID ?? "")])
        guard let url = answer.body["webcourierURL"]?.string else {
            throw Mismatch(what: "a device's line", expected: "200 with a webcourierURL", got: answer.summary)
        }
        return Courier(device: device, url: url)
    }

    func subscribe(_ client: CloudClient, in database: String, _ subscriptions: [JSON]) async throws {
        let answer = try await ask(
            client, "\(database)/subscriptions/modify",
            [
                "operations": .array(
                    subscriptions.map { ["operationType": "create", "subscription": $0] })
            ])
        try check(
            subscriptions.count == 1 ? "subscribed" : "subscribed to all \(subscriptions.count)",
            answer.subscriptions.map { $0["serverErrorCode"] ?? $0["subscriptionID"] },
            is: subscriptions.map { $0["subscriptionID"] })
    }

    /// Lets one device change something, in one request, and another one hear of it: exactly this, in any order.
    @discardableResult
    func hear(
        _ expected: [String], on line: Courier, when change: () async throws -> Void
    ) async throws -> [Message] {
        async let first = line.next()
        let sent = ContinuousClock.now
        try await change()
        var messages = [try await first]
        let time = sent.duration(to: messages[0].arrived)
        line.device.tally.addWaking(time)
        while messages.count < expected.count { messages.append(try await line.next()) }
        console.line("← \(time.milliseconds) after the change was sent:", .request, indent: 5)
        for message in messages { console.line(message.json.sorted.text, .quiet, indent: 7) }
        try check(
            "heard: \(expected.joined(separator: ", "))", messages.map(\.summary).sorted(), is: expected.sorted())
        return messages
    }
}
