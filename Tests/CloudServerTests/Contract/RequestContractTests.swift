@testable import CloudHTTP
import TestCloud
import CloudModel
import Foundation
import NIOCore
import Testing

/// Limits that `openapi.yaml` gives for the members of a request.
@Suite(.timeLimit(.minutes(5)))
struct RequestContractTests {
    /// A request that breaks one rule of its description: what is sent where, and the rule.
    private struct Broken {
        let method: HTTPRequest.Method
        let path: String
        let body: JSONValue
        let rule: String
    }

    @Test("A request over a limit of openapi.yaml is refused")
    func limits() async throws {
        let broken = Self.broken()
        #expect(broken.count > 20, "\(broken.map(\.rule))")
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let credentials = mei.target("x").split(separator: "?")[1]
            for request in broken {
                let path = request.path.replacing("{container}", with: mei.container)
                    .replacing("{environment}", with: "development").replacing("{database}", with: "private")
                    .replacing(#/\{[a-z]+\}/#, with: "x")
                let target =
                    path.hasPrefix("/database") || path.hasPrefix("/keyvalue") || path.hasPrefix("/device")
                        || path.hasPrefix("/share") ? "\(path)?\(credentials)" : path
                var writer = JSONWriter()
                writer.value(request.body)
                let answer = try await server.send(
                    request.method, target, body: ByteBuffer(bytes: writer.bytes))
                #expect(
                    (400..<500).contains(answer.status) || answer.text.contains("serverErrorCode"),
                    "\(request.method) \(target): \(request.rule) is not held to, \(answer.text)")
            }
        }
    }

    /// For each limit of each described request the request's example, with the member past the limit.
    private static func broken() -> [Broken] {
        let document = Contract.shared.document
        let schema = JSONSchema(document: document)
        var broken: [Broken] = []
        for (path, methods) in Contract.shared.operations {
            for method in methods where !path.hasPrefix("/admin") {
                guard case .object(let paths)? = document[path: "paths"],
                    let content = paths[path]?.object?[method.rawValue.lowercased()]?[path: "requestBody"]?[
                        path: "content"]?.object?["application/json"],
                    let example = content[path: "example"], let described = content[path: "schema"]
                else { continue }
                for (body, rule) in past(described, example, schema, at: "$") {
                    broken.append(Broken(method: method, path: path, body: body, rule: rule))
                }
            }
        }
        return broken.sorted { ($0.path, $0.rule) < ($1.path, $1.rule) }
    }

    /// The value with one of its members past a limit, for each limit there is.
    private static func past(
        _ described: JSONValue, _ value: JSONValue, _ schema: JSONSchema, at path: String
    ) -> [(JSONValue, String)] {
        var described = described
        while let reference = described[path: "$ref"]?.string { described = schema.resolve(reference) ?? .null }
        var found: [(JSONValue, String)] = []
        if let most = described[path: "maxItems"]?.integer, let element = value.array?.first {
            found.append((.array(Array(repeating: element, count: Int(most) + 1)), "\(path) maxItems \(most)"))
        }
        if let most = described[path: "maximum"]?.integer {
            found.append((.integer(most + 1), "\(path) maximum \(most)"))
        }
        if let least = described[path: "minimum"]?.integer {
            found.append((.integer(least - 1), "\(path) minimum \(least)"))
        }
        if let most = described[path: "maxLength"]?.integer {
            found.append((.string(String(repeating: "x", count: Int(most) + 1)), "\(path) maxLength \(most)"))
        }
        if let choices = described[path: "enum"]?.array, choices.allSatisfy({ $0.string != nil }) {
            found.append((.string("none of these"), "\(path) enum"))
        }
        guard let object = value.object else { return found }
        for name in described[path: "required"]?.array?.compactMap(\.string) ?? [] {
            let rest = object.members.filter { $0.key != name }
            found.append((.object(JSONObject(rest)), "\(path).\(name) required"))
        }
        for member in described[path: "properties"]?.object?.members ?? [] {
            let old = object[member.key] ?? .null
            for (new, rule) in past(member.value, old, schema, at: "\(path).\(member.key)") {
                let others = object.members.filter { $0.key != member.key }
                found.append((.object(JSONObject(others + [.init(key: member.key, value: new)])), rule))
            }
        }
        return found
    }
}
