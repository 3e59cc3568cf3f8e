import CloudModel
import HTTPTypes
import NIOCore
import Testing

/// A device of somebody signed in, with a line by which it is told of changes (reference B §7.4).
struct HearingDevice: Sendable {
    /// Longer than any change takes to be told of, in polls.
    private static let patience = 4

    let app: App
    let apnsToken: String
    /// The path and query to ask.
    let line: String

    /// The next message, asked for again when a poll ends without any.
    func next(sourceLocation: SourceLocation = #_sourceLocation) async throws -> JSONValue {
        for _ in 0..<Self.patience {
            let answer = try await app.server.send(.get, line, sourceLocation: sourceLocation)
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

    /// Opens the line of this device.
    func listen(sourceLocation: SourceLocation = #_sourceLocation) async throws -> HearingDevice {
        try await line(
            "create", #"{"apnsEnvironment": "development", "clientId": "\#(clientID ?? "device")"}"#,
            sourceLocation: sourceLocation)
    }

    /// Lets a line that is open for another container bring the messages of this one too.
    func join(_ device: HearingDevice, sourceLocation: SourceLocation = #_sourceLocation) async throws -> HearingDevice
    {
        try await line(
            "register",
            #"{"apnsEnvironment": "development", "apnsToken": "\#(device.apnsToken)", "clientId": "\#(clientID ?? "device")"}"#,
            sourceLocation: sourceLocation)
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

    private func line(_ action: String, _ body: String, sourceLocation: SourceLocation) async throws -> HearingDevice {
        let query = target("").drop { $0 != "?" }
        let answer = try await server.send(
            .post, "/device/1/\(container)/\(environment)/tokens/\(action)\(query)", body: ByteBuffer(string: body),
            sourceLocation: sourceLocation)
        let token = try #require(
            answer["apnsToken"]?.string, "\(answer.status) \(answer.code ?? "")", sourceLocation: sourceLocation)
        let url = try #require(answer["webcourierURL"]?.string, sourceLocation: sourceLocation)
        return HearingDevice(
            app: self, apnsToken: token,
            line: "/" + url.split(separator: "/", maxSplits: 2)[2].drop { $0 != "/" }.dropFirst())
    }
}

/// Texts of subscriptions that wake an app and show nothing.
enum Silent {
    private static let info = #""notificationInfo": {"shouldSendContentAvailable": true}"#

    static func query(
        _ type: String, as id: String, on events: [String], zone: String? = nil, filter: String = ""
    ) -> String {
        let zone = zone.map { #", "zoneID": {"zoneName": "\#($0)"}"# } ?? ""
        let events = events.map { #""\#($0)""# }.joined(separator: ", ")
        return #"{"subscriptionID": "\#(id)", "subscriptionType": "query", "firesOn": [\#(events)]\#(zone), "#
            + #""query": {"recordType": "\#(type)", "filterBy": [\#(filter)]}, \#(info)}"#
    }

    static func zone(_ zone: String, as id: String) -> String {
        #"{"subscriptionID": "\#(id)", "subscriptionType": "zone", "zoneID": {"zoneName": "\#(zone)"}, \#(info)}"#
    }

    static func database(as id: String) -> String {
        #"{"subscriptionID": "\#(id)", "subscriptionType": "database", \#(info)}"#
    }
}
