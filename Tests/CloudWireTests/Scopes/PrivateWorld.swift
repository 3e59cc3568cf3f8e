import CloudAccounts
import CloudHTTP
import TestCloud
import CloudModel
import CloudOperations
import NIOCore
import Testing

/// A container in which everything that is private holds one secret, and calls of every operation that would show it.
struct PrivateWorld: Sendable {
    static let secret = "top-secret-value"
    private static let container = "iCloud.com.example.test"
    private static let email = "mei@example.com"

    let server: TestServer
    private let user: String
    private let webhook: Int64
    private let subscription: Int64

    init(_ server: TestServer) async throws {
        self.server = server
        let mei = try await server.signIn(Self.email)
        user = mei.user
        let fields = #""title": {"value": "\#(Self.secret)"}"#
        try await mei.save("n1", fields: fields)
        try await mei.save(in: "public", "n1", fields: fields)
        let subscribed = try await mei.post(
            "public/subscriptions/modify",
            #"""
            {"operations": [{"operationType": "create", "subscription": {"subscriptionID": "s", "subscriptionType":
            "query", "query": {"recordType": "Note"}, "firesOn": ["create", "update"], "notificationInfo":
            {"alertBody": "\#(Self.secret)", "additionalFields": ["title"], "shouldSendContentAvailable": true}}}]}
            """#)
        #expect(subscribed["subscriptions.0.serverErrorCode"] == nil, "\(subscribed.text)")
        let made = try await server.accounts.webhooks.add(
            container: Self.container, environment: .development, url: WebhookURL(checking: "https://example.com/"))
        webhook = made.webhook.id
        let now = server.accounts.now()
        try await server.accounts.webhooks.deadLetters.bury(
            [("m1", Array(#"{"ck": {"qry": {"af": {"title": "\#(Self.secret)"}}}}"#.utf8))], of: webhook,
            FailedDelivery(firstAttempt: now, lastAttempt: now, attempts: 1, fault: "status 500"), keeping: 10)
        let token = try await server.managementToken()
        let list = try await server.manage(.get, "\(Self.container)/development/subscriptions", token: token)
        subscription = try #require(list["items.0.id"]?.integer, "\(list.text)")
    }

    /// The paths and bodies with which an operation would come to the secret, in the private and the public database.
    func calls(of route: OperationRoute) -> [(path: String, body: String?)] {
        let path = route.path.replacing("{container}", with: Self.container)
            .replacing("{environment}", with: "development").replacing("{email}", with: Self.email)
            .replacing("{id}", with: route.path.contains("subscriptions") ? "\(subscription)" : "999999")
            .replacing(#/\{[a-zA-Z]+\}/#, with: "x")
        switch route.path.split(separator: "/").last.map(String.init) {
        case _ where ["containers/{container}", "users/{email}/deletion"].contains(route.path) && route.isChange,
            "reset" where route.path.hasSuffix("schema/reset"):
            // Deletes the container, person or schema that later requests need.
            return []
        case "records": return people.map { ("\(path)?type=Note\($0)", nil) }
        case "record": return people.map { ("\(path)?recordName=n1\($0)", nil) }
        case "zones", "types": return people.map { ("\(path)?\($0.dropFirst())", nil) }
        case "query": return bodies { #""query": {"recordType": "Note"}\#($0)"# }.map { (path, $0) }
        case "modify":
            let empty = #"{"operationType": "forceUpdate", "record": {"recordName": "n1", "recordType": "Note"}}"#
            let old =
                #"{"operationType": "update", "record": {"recordName": "n1", "recordType": "Note", "recordChangeTag": "x"}}"#
            return [empty, old].flatMap { operation in
                bodies { #""operations": [\#(operation)]\#($0)"# }.map { (path, $0) }
            }
        case "act-as":
            return [
                (
                    path,
                    #"{"operation": "records/query", "database": "public", "body": {"query": {"recordType": "Note"}}}"#
                )
            ]
        case "test" where route.method == .get: return [("\(path)?recordName=n1&change=update", nil)]
        case "webhooks" where route.isChange:
            return [
                (
                    path,
                    #"{"container": "\#(Self.container)", "environment": "development", "url": "https://example.com/x"}"#
                )
            ]
        default: return [(path, nil)]
        }
    }

    /// Changes the record whose fields hold the secret, without naming any.
    func modify(_ operation: String, _ token: String) async throws -> Answer {
        try await server.manage(
            .post, "\(Self.container)/development/records/modify", token: token,
            body:
                #"{"operations": [\#(operation) "record": {"recordName": "n1", "recordType": "Note"}}], "user": "\#(user)"}"#
        )
    }

    private var people: [String] { ["", "&user=\(user)", "&user=\(Self.email)"] }

    private func bodies(_ members: (String) -> String) -> [String] {
        ["", #", "user": "\#(user)""#].map { "{\(members($0))}" }
    }
}
