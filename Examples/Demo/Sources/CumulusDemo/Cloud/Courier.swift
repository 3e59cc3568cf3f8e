/// The line by which a device is told of changes: it asks, and is answered when there is something to tell
/// (reference B §7.4).
struct Courier: Sendable {
    private static let patience = Duration.seconds(60)

    let device: CloudClient
    /// Whoever has it reads the device's messages, so it is not printed.
    let url: String

    /// The next message, asked for as often as it takes.
    func next() async throws -> Message {
        let deadline = ContinuousClock.now + Self.patience
        while ContinuousClock.now < deadline {
            let (status, body) = try await device.fetch(url, accept: "application/json")
            guard status == 200 else { throw Mismatch(what: "asking for messages", expected: "200", got: "\(status)") }
            if !body.isEmpty { return Message(json: try JSON(parsing: body), arrived: .now) }
        }
        throw Mismatch(what: "waiting for a message", expected: "one within \(Self.patience)", got: "none")
    }
}
