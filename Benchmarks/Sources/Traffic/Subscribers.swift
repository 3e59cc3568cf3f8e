/// Users of one container who wait for notifications by the courier, each with a subscription of their own.
package enum Subscribers {
    /// The type of record they are told of. A record's number names the one of them whom it concerns.
    package static let recordType = "News"
    /// The `bucket` of a record that concerns all of them.
    package static let everybody = 7

    private struct Token: Decodable { let webcourierURL: String }

    /// Signs one in, subscribes and registers.
    ///
    /// - Returns: the path that they are to ask for messages.
    package static func add(
        _ number: Int, to container: String, at origin: String, through caller: HTTPCaller
    ) async throws -> String {
        let session = try await CloudSession.signIn(
            "waiter-\(number)@example.com", to: container, at: origin, through: caller)
        let subscriptions = [filter("own", "number", number), filter("all", "bucket", everybody)]
        try await session.subscribe("public", subscriptions)
        let token = try CloudSession.decode(
            Token.self,
            from: try await caller.post(
                #"{"apnsEnvironment":"development","clientId":"waiter-\#(number)"}"#,
                to: "\(origin)/device/1/\(container)/development/tokens/create?\(session.query)"))
        guard let path = token.webcourierURL.firstRange(of: "/aps") else {
            throw CloudSession.Refused(status: 200, text: "no courier: \(token.webcourierURL)")
        }
        return String(token.webcourierURL[path.lowerBound...])
    }

    private static func filter(_ name: String, _ field: String, _ value: Int) -> String {
        Bodies.subscription(name, to: recordType, where: field, is: value)
    }

    /// One operation that tells the waiter of that number, or all of them.
    package static func news(_ name: String, for waiter: Int?) -> String {
        let number = waiter ?? -1
        let bucket = waiter == nil ? everybody : 0
        return Bodies.create(
            name, type: recordType,
            fields: #""number":{"value":\#(number),"type":"INT64"},"bucket":{"value":\#(bucket),"type":"INT64"}"#)
    }
}

extension CloudSession {
    private struct SubscriptionsAnswer: Decodable {
        struct Subscription: Decodable {
            let serverErrorCode: String?
            let reason: String?
        }

        let subscriptions: [Subscription]
    }

    /// Makes subscriptions; any refusal is thrown.
    package func subscribe(_ database: String, _ subscriptions: [String]) async throws {
        let operations = subscriptions.map { #"{"operationType":"create","subscription":\#($0)}"# }
        let answer = try await ask(
            "\(database)/subscriptions/modify", #"{"operations":[\#(operations.joined(separator: ","))]}"#,
            as: SubscriptionsAnswer.self)
        if let refused = answer.subscriptions.first(where: { $0.serverErrorCode != nil }) {
            throw Refused(status: 200, text: "\(refused.serverErrorCode ?? "") \(refused.reason ?? "")")
        }
    }
}

extension Bodies {
    /// A query subscription to new records with a number in a field.
    package static func subscription(_ name: String, to type: String, where field: String, is value: Int) -> String {
        #"{"subscriptionID":"\#(name)","subscriptionType":"query","firesOn":["create"],"query":{"recordType":"\#(type)","#
            + #""filterBy":[{"fieldName":"\#(field)","comparator":"EQUALS","fieldValue":{"value":\#(value),"type":"INT64"}}]}}"#
    }
}
