import ArgumentParser
import Traffic

/// Fills the public database with query subscriptions, each to another value of one field.
struct Subscribe: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Makes query subscriptions to numbers one after the other, as many users.")
    private static let perRequest = 200
    private static let perUser = 1000

    @OptionGroup var target: Target

    @Option(help: "How many subscriptions.")
    var count: Int

    @Option(help: "The type of record they are about; one is made, so that the type is there.")
    var type: String

    @Option(help: "The number the first wants; each other wants the next.")
    var from = 0

    func run() async throws {
        let caller = HTTPCaller(connections: 4)
        let owner = try await CloudSession.signIn(
            target.email, to: target.container, at: target.origin, through: caller)
        try await owner.modify(
            "public",
            Bodies.modify([
                Bodies.create("first-\(type)", type: type, fields: #""bucket":{"value":-1,"type":"INT64"}"#)
            ]))
        for first in stride(from: 0, to: count, by: Self.perRequest) {
            let subscriber = try await CloudSession.signIn(
                "subscriber-\(first / Self.perUser)@example.com", to: target.container, at: target.origin,
                through: caller)
            let numbers = (first..<min(first + Self.perRequest, count)).map { $0 + from }
            try await subscriber.subscribe(
                "public", numbers.map { Bodies.subscription("to-\($0)", to: type, where: "bucket", is: $0) })
        }
        try await caller.shutdown()
    }
}
