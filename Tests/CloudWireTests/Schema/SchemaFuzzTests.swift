import CloudHTTP
import TestCloud
import CloudModel
import NIOCore
import Testing

/// Schemas of words that belong to the language, in an order that mostly does not.
struct SchemaFuzzTests {
    private static let words = [
        "DEFINE", "SCHEMA", "CREATE", "ROLE", "RECORD", "TYPE", "(", ")", ",", ";", "<", ">", "LIST", "ENCRYPTED",
        "PREFERRED", "AS", "GRANT", "TO", "READ", "WRITE", "QUERYABLE", "SORTABLE", "SEARCHABLE", "STRING", "INT64",
        "NUMBER", "LOCATION", "ASSET", "REFERENCE", "\"", "\"___recordID\"", "\"_world\"", "\"_creator\"", "editor",
        "A",
        "B", "Users", "\"cloudkit.share\"", "\"cloudkit.title\"", "roles", "title", "\n", "--", "/*", "*/", "\0", "é",
    ]
    private static let good = """
        DEFINE SCHEMA CREATE ROLE editor ;
        RECORD TYPE A ( title STRING QUERYABLE , rank NUMBER , tags LIST < STRING > , GRANT READ TO editor ) ;
        RECORD TYPE Users ( roles LIST < INT64 > , name STRING , GRANT READ TO "_world" ) ;
        """

    /// A schema with some of its words left out, doubled or in each other's place.
    private static func text(_ mutator: inout Mutator) -> String {
        var text = good.split(whereSeparator: \.isWhitespace).map(String.init)
        // Some that are schemas, so that one leads to the other.
        for index in text.indices where ["STRING", "NUMBER", "INT64"].contains(text[index]) && mutator.one(in: 2) {
            text[index] = mutator.pick(["STRING", "NUMBER", "INT64", "LOCATION", "ASSET", "DOUBLE", "BYTES"])
        }
        for _ in 0..<mutator.number(below: 3) {
            let place = mutator.number(below: text.count)
            switch mutator.number(below: 4) {
            case 0: text.remove(at: place)
            case 1: text.insert(mutator.pick(words), at: place)
            case 2: text[place] = mutator.pick(words)
            default: text.swapAt(place, mutator.number(below: text.count))
            }
        }
        return text.joined(separator: " ")
    }

    @Test("A random schema text is accepted or refused, never with a server error") func fuzz() async throws {
        try await TestServer.run { server in
            let program = try await server.makeOperator()
            let mei = try await server.signIn("mei@example.com")
            var mutator = Mutator(seed: 11)
            var statuses: [Int: Int] = [:]
            for _ in 0..<300 {
                let text = Self.text(&mutator)
                let answer = try await program.send(.put, "schema", body: text)
                #expect([200, 400].contains(answer.status), "\(answer.status) \(text)")
                statuses[answer.status, default: 0] += 1
                guard answer.status == 200 else { continue }
                let exported = try await program.send(.get, "schema").text
                let again = try await program.send(.put, "schema?dryRun=true", body: exported)
                #expect(again.status == 200 && again.text.isEmpty, "\(text)\n\(exported)\n\(again.text)")
            }
            #expect(statuses[200] ?? 0 > 20 && statuses[400] ?? 0 > 20, "\(statuses)")
            #expect(try await mei.get("public/users/caller").status == 200)
        }
    }
}
