import CumulusKit

/// The line by which a device is told of changes: it asks, and is answered when there is something to tell
/// (reference B §7.4).
struct Courier: Sendable {
    private static let patience = Duration.seconds(60)

    let server: Server
    /// Whoever has it reads the device's messages, so it is not printed.
    let url: String

    /// The next message, asked for as often as it takes.
    func next() async throws -> Message {
        let deadline = ContinuousClock.now + Self.patience
        while ContinuousClock.now < deadline {
            let answer = try await Wire.quietly { try await server.fetch(url, accept: "application/json") }
            guard answer.status == 200 else {
                throw Mismatch(what: "asking for messages", expected: "200", got: "\(answer.status)")
            }
            if let json = JSON(answer.body) { return Message(json: json, arrived: .now) }
        }
        throw Mismatch(what: "waiting for a message", expected: "one within \(Self.patience)", got: "none")
    }
}

extension Stage {
    /// Opens the line by which a device is told of changes.
    func connect(_ device: CKContainer) async throws -> Courier {
        let answer = try await server.ask(
            device, "device", "tokens/create",
            ["apnsEnvironment": "development", "clientId": .string(device.configuration.clientID ?? "")])
        guard let url = answer["webcourierURL"]?.string else {
            throw Mismatch(what: "a device's line", expected: "a webcourierURL", got: answer.text)
        }
        return Courier(server: server, url: url)
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
        wakings.append(time)
        while messages.count < expected.count { messages.append(try await line.next()) }
        console.line("← \(time.milliseconds) after the change was sent:", .request, indent: 5)
        for message in messages { console.line(message.json.text, .quiet, indent: 7) }
        try check(
            "heard: \(expected.joined(separator: ", "))", messages.map(\.summary).sorted(), is: expected.sorted())
        return messages
    }
}
