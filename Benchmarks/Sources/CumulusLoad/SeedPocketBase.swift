import ArgumentParser
import Foundation
import Traffic

/// Gives a PocketBase the same records: a collection with the same fields and indexes, open to everybody.
struct SeedPocketBase: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seed-pocketbase", abstract: "Makes and fills PocketBase's collection of the same records.")
    private static let batchSize = 200

    @Option(help: "Where PocketBase listens.")
    var origin: String

    @Option(help: "The superuser to be.")
    var email: String

    @Option(help: "The superuser's password.")
    var password: String

    @Option(help: "How many records.")
    var records: Int

    func run() async throws {
        let caller = HTTPCaller(connections: 2)
        let token = try await signIn(caller)
        try await require(
            caller.post(Self.collection, to: "\(origin)/api/collections", authorization: token))
        try await require(
            caller.post(
                #"{"batch":{"enabled":true,"maxRequests":\#(Self.batchSize),"timeout":60}}"#,
                to: "\(origin)/api/settings", authorization: token, method: "PATCH"))
        let batches = stride(from: 0, to: records, by: Self.batchSize)
        let (origin, last) = (origin, records)
        try await forEach(batches, inFlight: 2) { first in
            let rows = (first..<min(first + Self.batchSize, last)).map {
                #"{"method":"POST","url":"/api/collections/items/records","body":\#(BenchRecord.row($0))}"#
            }
            let body = #"{"requests":[\#(rows.joined(separator: ","))]}"#
            try await require(caller.post(body, to: "\(origin)/api/batch"))
        } each: { _ in
        }
        try await caller.shutdown()
    }

    private func signIn(_ caller: HTTPCaller) async throws -> String {
        struct Session: Decodable { let token: String }
        let answer = try await caller.post(
            #"{"identity":"\#(email)","password":"\#(password)"}"#,
            to: "\(origin)/api/collections/_superusers/auth-with-password")
        return try CloudSession.decode(Session.self, from: answer).token
    }

    private static let collection = #"""
        {"name":"items","type":"base","listRule":"","viewRule":"","createRule":"","updateRule":"","deleteRule":"",
         "fields":[{"name":"title","type":"text"},{"name":"number","type":"number"},{"name":"bucket","type":"number"},
                   {"name":"price","type":"number"},{"name":"note","type":"text"},
                   {"name":"created","type":"autodate","onCreate":true},
                   {"name":"updated","type":"autodate","onCreate":true,"onUpdate":true}],
         "indexes":["CREATE INDEX items_number ON items (number)","CREATE INDEX items_bucket ON items (bucket)"]}
        """#
}

func require(_ answer: HTTPCaller.Answer) throws {
    guard (200..<300).contains(answer.status) else {
        throw CloudSession.Refused(status: answer.status, text: String(decoding: answer.body, as: UTF8.self))
    }
}
