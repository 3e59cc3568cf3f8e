import TestCloud
import CloudModel
import Testing

/// A device of somebody signed in: what it sends, and the line by which it is told of changes (reference B §7.4).
struct HearingDevice: Sendable {
    /// Longer than any change takes to be told of, in polls.
    private static let patience = 4

    let app: App
    let ear: Ear

    /// The next message, asked for again when a poll ends without any.
    func next(sourceLocation: SourceLocation = #_sourceLocation) async throws -> JSONValue {
        for _ in 0..<Self.patience {
            let answer = try await ear.poll(sourceLocation: sourceLocation)
            try #require(answer.status == 200, sourceLocation: sourceLocation)
            if !answer.text.isEmpty { return answer.json }
        }
        struct NothingHeard: Error {}
        throw NothingHeard()
    }

    /// Holds what it hears of a change to these messages, in words such as `family-changes created family-1` and in
    /// any order.
    func hears(
        _ expected: String..., when change: () async throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        async let first = next(sourceLocation: sourceLocation)
        try await change()
        var messages = [try await first]
        while messages.count < expected.count { messages.append(try await next(sourceLocation: sourceLocation)) }
        #expect(messages.map(Self.words).sorted() == expected.sorted(), sourceLocation: sourceLocation)
    }

    private static func words(_ message: JSONValue) -> String {
        let reasons = ["", "created", "updated", "deleted"]
        if let query = message[path: "ck.qry"] {
            let reason = query[path: "fo"]?.integer.map { reasons[Int($0)] } ?? ""
            return "\(query[path: "sid"]?.string ?? "") \(reason) \(query[path: "rid"]?.string ?? "")"
        }
        if let zone = message[path: "ck.fet"] {
            return "\(zone[path: "sid"]?.string ?? "") zone \(zone[path: "zid"]?.string ?? "")"
        }
        if let database = message[path: "ck.met"] {
            return "\(database[path: "sid"]?.string ?? "") database \(database[path: "dbs"]?.integer ?? 0)"
        }
        return "keyvalue \(message[path: "ck.kvs.reason"]?.string ?? "")"
    }
}

extension App {
    /// The same person's app on a device of this name.
    func on(_ device: String) -> App {
        var app = self
        app.clientID = device
        return app
    }

    /// A device of this name, with a line.
    func listening(_ device: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> HearingDevice {
        HearingDevice(app: on(device), ear: try await ear(device, sourceLocation: sourceLocation))
    }

    func subscribe(
        in database: String = "private", _ subscriptions: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let operations = subscriptions.map { #"{"operationType": "create", "subscription": \#($0)}"# }
        let answer = try await post(
            "\(database)/subscriptions/modify", #"{"operations": [\#(operations.joined(separator: ", "))]}"#,
            sourceLocation: sourceLocation)
        #expect(answer.status == 200, "\(answer.text)", sourceLocation: sourceLocation)
        #expect(
            answer.column("subscriptions", "serverErrorCode").allSatisfy { $0 == nil }, "\(answer.text)",
            sourceLocation: sourceLocation)
    }
}
