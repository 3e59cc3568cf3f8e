import CloudModel
import CloudStore
import Foundation
import Testing

@testable import CloudOperations

/// The part of openapi.yaml that is made from the catalogue.
struct AdminDocumentTests {
    private static let contract = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../openapi.yaml")

    @Test("openapi.yaml has the generated parts as they are generated now")
    func file() throws {
        let text = try String(contentsOf: Self.contract, encoding: .utf8)
        for part in try GeneratedPart.ofContract() {
            let replaced = try #require(part.replaced(in: text), "no markers of \(part.name)")
            #expect(replaced == text, "\(part.name) is out of date; 'make documents' writes it anew")
        }
    }

    @Test("The limit of each list in openapi.yaml has its default")
    func defaults() throws {
        let text = try String(contentsOf: Self.contract, encoding: .utf8)
        let limits = text.matches(of: /name: limit\n.*\n.*\n *schema: (.*)/).map { String($0.1) }
        #expect(limits.count > 10)
        for limit in limits { #expect(limit.contains("default: 100 }"), "\(limit)") }
    }

    @Test("Outside the generated part openapi.yaml describes nothing under /admin")
    func nothingByHand() throws {
        let text = try String(contentsOf: Self.contract, encoding: .utf8)
        let begin = try #require(text.range(of: "BEGIN generated: admin paths"))
        let end = try #require(text.range(of: "END generated: admin paths"))
        let others = text[..<begin.lowerBound] + text[end.upperBound...]
        let left = others.split(separator: "\n").filter { $0.hasPrefix("  /admin/") }
        #expect(left.isEmpty, "\(left)")
    }

    @Test("A schema has the properties of its type, optional ones left out of the required ones")
    func schema() throws {
        var answers = AnswerSchema()
        let reference = try answers.schema(of: APITokenInfo.self)
        #expect(reference == .reference("schemas/AdminAPIToken"))
        guard case .object(let members)? = answers.components["AdminAPIToken"] else {
            Issue.record("no schema of an API token")
            return
        }
        let schema = Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value) })
        #expect(
            schema["required"]
                == .texts(["id", "hint", "container", "environment", "name", "allowedOrigins", "audiences", "created"]))
        guard case .object(let properties)? = schema["properties"] else {
            Issue.record("no properties")
            return
        }
        let types = Dictionary(uniqueKeysWithValues: properties.map { ($0.key, $0.value) })
        #expect(types["id"] == .members(["type": .text("integer")]))
        #expect(types["created"] == .reference("schemas/Moment"))
        #expect(
            types["environment"]
                == .members(["type": .text("string"), "enum": .texts(["development", "production"])]))
        #expect(
            types["allowedOrigins"]
                == .members(["type": .text("array"), "items": .members(["type": .text("string")])]))
    }

    @Test(
        "Texts that YAML would read as something else are quoted",
        arguments: [
            ("plain", "plain"), ("true", "\"true\""), ("records:read", "\"records:read\""), ("a b", "\"a b\""),
            ("200", "\"200\""), ("say \"x\"\n", "\"say \\\"x\\\"\\n\""), ("/admin/1/{id}", "/admin/1/{id}"),
            ("", "\"\""),
        ])
    func scalars(text: String, written: String) {
        #expect(DocumentNode.text(text).lines(indent: 0) == [written])
    }
}
