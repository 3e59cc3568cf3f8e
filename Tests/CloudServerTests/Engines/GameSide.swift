import CloudHTTP
import TestCloud
import CloudModel
import Foundation
import NIOCore
import TestEngine
import Testing

/// One of the two servers of a game: what it gave out at random, by the order in which it came, and the people on it.
///
/// A text such as `#12` stands for the twelfth of those in requests and answers alike, so that both servers are asked the
/// same and their answers can be compared.
final class GameSide {
    /// Members whose values are drawn at random.
    private static let random: Set<String> = [
        "recordChangeTag", "syncToken", "changeToken", "continuationMarker", "shortGUID", "participantId",
        "userRecordName", "ownerRecordName", "uuid", "webAuthToken", "ckWebAuthToken", "redirectURL",
    ]
    /// The server's own names, which are the same everywhere.
    private static let fixed: Set<String> = ["_defaultOwner", "_public", "__defaultOwner__"]

    let engine: TestEngine
    let folder = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)")
    private(set) var people: [Person?] = []
    private var places: [String: Int] = [:]
    private var values: [String] = []
    private var names: [(name: String, place: Int)] = []

    struct Person {
        let token: String
        let user: String
    }

    init(isPostgres: Bool) { engine = TestEngine(isPostgres: isPostgres) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Signs people in, if none are yet. Their record names are the first of what is random.
    func signIn(_ emails: [String], to server: TestServer) async throws {
        guard people.isEmpty else { return }
        for email in emails {
            let app = try await server.signIn(email)
            people.append(Person(token: app.token ?? "", user: app.user))
            names.append((app.user, note(app.user)))
        }
        // Somebody who is not signed in.
        people.append(nil)
    }

    /// Sends a call, and gives the answer with texts such as `#12` for what is random.
    func send(_ call: GameCall, to server: TestServer) async throws -> (text: String, json: JSONValue) {
        var app = server.app()
        app.token = people[call.person]?.token
        app.user = people[call.person]?.user ?? ""
        let body = revealed(call.body)
        let answer =
            try await call.isKeyValue
            ? server.send(.post, app.keyValueTarget(call.endpoint), body: ByteBuffer(string: body))
            : app.post(call.endpoint, body, query: call.query)
        let json = hidden(answer.json)
        var writer = JSONWriter(capacity: 1024)
        writer.value(json)
        return ("\(answer.status) \(String(decoding: writer.bytes, as: UTF8.self))", json)
    }

    private func note(_ value: String) -> Int {
        if let known = places[value] { return known }
        places[value] = values.count
        values.append(value)
        return values.count - 1
    }

    /// The request as this server is to have it.
    private func revealed(_ text: String) -> String {
        text.replacing(/"#(\d+)"/) { match in
            let place = Int(match.output.1) ?? 0
            return "\"\(values.indices.contains(place) ? values[place] : "none")\""
        }
    }

    private func hidden(_ json: JSONValue, key: String = "") -> JSONValue {
        switch json {
        case .string(let text): .string(hidden(text, key: key))
        case .array(let elements): .array(elements.map { hidden($0, key: key) })
        case .object(let object):
            .object(JSONObject(object.members.map { .init(key: $0.key, value: hidden($0.value, key: $0.key)) }))
        default: json
        }
    }

    private func hidden(_ text: String, key: String) -> String {
        if places[text] != nil || Self.random.contains(key) && !Self.fixed.contains(text) { return "#\(note(text))" }
        // Addresses and reasons name people too.
        return names.reduce(text) { $0.replacing($1.name, with: "#\($1.place)") }
    }
}

extension App {
    /// The path and query of a call about the caller's key-value store.
    func keyValueTarget(_ name: String) -> String {
        let user = token.map { "&ckWebAuthToken=\(Self.encoded($0))" } ?? ""
        return "/keyvalue/1/\(container)/\(environment)/\(name)?ckAPIToken=\(apiToken ?? "")\(user)"
    }
}

/// A request of a game.
struct GameCall {
    /// The place of the caller among the people; the last is nobody.
    let person: Int
    let endpoint: String
    let body: String
    var query = ""
    var isKeyValue = false
}
