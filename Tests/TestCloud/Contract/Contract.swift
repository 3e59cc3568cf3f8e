package import CloudHTTP
package import CloudModel
import Foundation
import Testing
import Yams

import CloudServer

/// `openapi.yaml`, and whether answers are as it says.
package struct Contract: Sendable {
    package static let shared = Contract()

    package let document: JSONValue
    private let schema: JSONSchema
    /// The methods of each path, as the document lists them.
    package let operations: [String: Set<HTTPRequest.Method>]

    private init() {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../openapi.yaml")
        do {
            document = Self.json(try Yams.load(yaml: String(contentsOf: file, encoding: .utf8)))
        } catch {
            // Without a document no answer is described, and every test says so.
            Issue.record("openapi.yaml cannot be read: \(error)")
            document = .null
        }
        schema = JSONSchema(document: document)
        var operations: [String: Set<HTTPRequest.Method>] = [:]
        for member in document[path: "paths"]?.object?.members ?? [] {
            let methods = member.value.keys.subtracting(["parameters"])
            operations[member.key] = Set(methods.compactMap { HTTPRequest.Method($0.uppercased()) })
        }
        self.operations = operations
    }

    /// The differences between an answer and the description of its path, method and status.
    package func faults(of answer: Answer, to method: HTTPRequest.Method, _ target: String) -> [String] {
        if method == .options || method == .head { return [] }
        if let page = Self.page(at: target) { return Self.faults(of: answer, to: method, page) }
        guard let path = template(of: target), let operations = self.operations[path] else {
            if answer.status == 429 { return schema.faults(of: answer.json, as: Self.reference("ThrottledError")) }
            let isForPeople = answer.headers[.contentType]?.hasPrefix("text/html") == true
            return (isForPeople ? [] : schema.faults(of: answer.json, as: Self.reference("NotFoundError")))
                + (answer.status == 404 ? [] : ["not 404"])
        }
        guard operations.contains(method) else {
            if isPage(path) { return answer.status == 405 ? [] : ["not 405"] }
            if path == "/uploads/{token}" { return schema.faults(of: answer.json, as: Self.reference("RefusedUpload")) }
            // CloudKit JS takes any JSON that these answer for a notification.
            if ["/aps", "/events"].contains(path) { return answer.text.isEmpty ? [] : ["the body is not empty"] }
            return schema.faults(of: answer.json, as: Self.reference("MethodNotAllowedError"))
        }
        if answer.status == 415, path != "/uploads/{token}", !isPage(path) {
            return schema.faults(of: answer.json, as: Self.reference("UnsupportedMediaTypeError"))
        }
        guard var response = response(path, method, status: answer.status) else {
            return ["the status is not described"]
        }
        if let reference = response[path: "$ref"]?.string { response = schema.resolve(reference) ?? .null }
        return headerFaults(of: answer, response) + bodyFaults(of: answer, to: path, response)
    }

    private static let router = Router(dev: true)

    /// The page for people at a path; the document leaves these pages out.
    private static func page(at target: String) -> RouteInfo? {
        let row = router.match(target.prefix { $0 != "?" })?.info
        return row?.isForPeople == true ? row : nil
    }

    /// A page for people refuses with a page, scripts and providers with JSON, and with status 405 if it does not support the method.
    private static func faults(of answer: Answer, to method: HTTPRequest.Method, _ page: RouteInfo) -> [String] {
        if !page.methods.contains(method), answer.status != 405 { return ["not 405"] }
        let type = answer.headers[.contentType] ?? ""
        let isPage = type.hasPrefix("text/html") || type.hasPrefix("application/json")
        return answer.status < 400 || isPage || answer.text.isEmpty ? [] : ["status \(answer.status) without a page"]
    }

    /// The differences between a request that was accepted and the description of its body.
    ///
    /// A request whose answer names an error anywhere was not accepted.
    package func faults(ofAccepted body: [UInt8], _ answer: Answer, to method: HTTPRequest.Method, _ target: String)
        -> [String]
    {
        guard (200..<300).contains(answer.status), !answer.text.contains("serverErrorCode"),
            let json = try? JSONParser.parse(body), let path = template(of: target),
            case .object(let paths)? = document[path: "paths"],
            var described = paths[path]?.object?[method.rawValue.lowercased()]?[path: "requestBody"]
        else { return [] }
        if let reference = described[path: "$ref"]?.string { described = schema.resolve(reference) ?? .null }
        let content = described[path: "content"]?.object?["application/json"]
        guard let expected = content?[path: "schema"] else { return [] }
        return schema.faults(of: json, as: expected).filter { fault in
            !Self.leniences.contains { fault.contains($0) }
        }
    }

    /// Forms that are taken beside those described: null for a member that is not there, an element for an array of
    /// one, a short GUID as it is, a number in any spelling, a handle beside the one that somebody is found by, and
    /// `users/discover` without a body.
    private static let leniences = [
        " is null, not ", #" is an object, not ["array"]"#, "$.shortGUIDs[", "$.resultsLimit is ",
        "$.lookupInfos is missing", ".phoneNumber is a number,",
    ]

    /// Returns true if the path is for people: it answers bad requests with a page as well.
    private func isPage(_ path: String) -> Bool {
        guard case .object(let paths)? = document[path: "paths"] else { return false }
        return ["get", "post"].contains { paths[path]?.object?[$0]?[path: "tags"]?.array?.contains("pages") == true }
    }

    private func bodyFaults(of answer: Answer, to path: String, _ response: JSONValue) -> [String] {
        let given = answer.headers[.contentType].map { String($0.prefix { $0 != ";" }) } ?? "none"
        // A poll that ends without a notification has no body, neither has a stream that does not begin.
        let mayBeEmpty = answer.text.isEmpty && ["/aps", "/events"].contains(path)
        if given == "none", mayBeEmpty || response[path: "content"] == nil { return [] }
        guard let content = response[path: "content"]?.object?[given] else {
            return ["content type \(given) is not described"]
        }
        guard given == "application/json", let body = content[path: "schema"] else { return [] }
        return schema.faults(of: answer.json, as: body)
    }

    private func headerFaults(of answer: Answer, _ response: JSONValue) -> [String] {
        (response[path: "headers"]?.object?.members ?? []).flatMap { member -> [String] in
            var header = member.value
            let reference = header[path: "$ref"]?.string
            if let reference { header = schema.resolve(reference) ?? .null }
            guard let name = HTTPField.Name(member.key), let value = answer.headers[name] else {
                return header[path: "required"] == true ? ["header \(member.key) is missing"] : []
            }
            if let reference {
                return schema.faults(of: .string(value), reference: "\(reference)/schema", at: member.key)
            }
            return schema.faults(of: .string(value), as: header[path: "schema"] ?? .null, at: member.key)
        }
    }

    private func response(_ path: String, _ method: HTTPRequest.Method, status: Int) -> JSONValue? {
        guard case .object(let paths)? = document[path: "paths"] else { return nil }
        return paths[path]?.object?[method.rawValue.lowercased()]?[path: "responses"]?.object?[String(status)]
    }

    /// The document's name of a path; nil for an undocumented path.
    private func template(of target: String) -> String? {
        let path = String(target.prefix { $0 != "?" })
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 4, parts[1] == "share", parts[3] == "request-access" { return "/share/{id}/request-access" }
        if parts.count == 3, parts[1] == "uploads" { return "/uploads/{token}" }
        if parts.count == 6, parts[1] == "assets" { return "/assets/{container}/{environment}/{key}/{name}" }
        if parts.count == 6, parts[1] == "previews" { return "/previews/{container}/{environment}/{key}/{size}" }
        if parts.count == 7, parts[5] == "tokens" {
            return "/\(parts[1])/1/{container}/{environment}/tokens/\(parts[6])"
        }
        guard parts.count > 6, parts[1] == "database", parts[2] == "1",
            ["development", "production"].contains(parts[4].lowercased()),
            ["public", "private", "shared"].contains(parts[5])
        else {
            // A path that is spelt out is meant before one with parts of any name.
            let isOwn = operations[path] != nil
            return path.hasPrefix("/database") ? nil : isOwn ? path : ownTemplate(of: parts) ?? path
        }
        return "/database/1/{container}/{environment}/{database}/" + parts[6...].joined(separator: "/")
    }

    /// The document's name of one of the server's own paths that have parts of any name.
    private func ownTemplate(of parts: [Substring]) -> String? {
        operations.keys.first { template in
            guard template.contains("{"), !template.hasPrefix("/database") else { return false }
            let expected = template.split(separator: "/", omittingEmptySubsequences: false)
            let isWhole = expected.count == parts.count || expected.last == "{path}" && expected.count <= parts.count
            return isWhole && zip(expected, parts).allSatisfy { $0 == $1 || $0.hasPrefix("{") }
        }
    }

    private static func reference(_ name: String) -> JSONValue {
        .object(JSONObject([.init(key: "$ref", value: .string("#/components/schemas/\(name)"))]))
    }

    private static func json(_ yaml: Any?) -> JSONValue {
        switch yaml {
        case let bool as Bool: .bool(bool)
        case let integer as Int: .integer(Int64(integer))
        case let number as Double: .number(number)
        case let text as String: .string(text)
        case let array as [Any]: .array(array.map(json))
        case let object as [AnyHashable: Any]:
            .object(JSONObject(object.map { .init(key: "\($0.key.base)", value: json($0.value)) }))
        default: .null
        }
    }
}
