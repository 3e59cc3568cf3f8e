package import CloudModel

/// The arguments of an operation by name, merged from path, query and JSON body.
package struct Arguments: Sendable, ExpressibleByDictionaryLiteral {
    private var values: [String: JSONValue] = [:]

    package init(_ values: [String: JSONValue]) { self.values = values }

    /// Arguments without a value are left out.
    package init(dictionaryLiteral elements: (String, JSONValue?)...) {
        for case (let name, let value?) in elements { values[name] = value }
    }

    package var names: Set<String> { Set(values.keys) }

    package subscript(name: String) -> JSONValue? {
        get { values[name].flatMap { $0 == .null ? nil : $0 } }
        set { values[name] = newValue }
    }

    /// Takes the values of other arguments over.
    package mutating func merge(_ other: Arguments) { values.merge(other.values) { $1 } }

    package func has(_ name: String) -> Bool { self[name] != nil }

    // MARK: Reading

    /// The default length limit of a text, in bytes.
    package static let longestText = 4096

    /// A required, nonempty text.
    func text(_ name: String, atMost limit: Int = longestText) throws(ServerError) -> String {
        guard let text = try optionalText(name, atMost: limit), !text.isEmpty else {
            throw .badRequest("\(known: name) is missing")
        }
        return text
    }

    func optionalText(_ name: String, atMost limit: Int = longestText) throws(ServerError) -> String? {
        guard let value = self[name] else { return nil }
        guard let text = value.string else {
            throw .badRequest("\(known: name) must be a string, not \(known: value.kind)")
        }
        guard !text.utf8.contains(0) else {
            throw .badRequest("\(known: name) must not contain the character U+0000")
        }
        guard text.utf8.count <= limit else {
            throw .badRequest(
                "\(known: name) has \(text.utf8.count) bytes, at most \(limit) are allowed", .limit(limit))
        }
        return text
    }

    /// An array of texts; a single text counts as an array of one.
    func texts(_ name: String, most: Int = 100) throws(ServerError) -> [String] {
        guard let value = self[name] else { return [] }
        if let text = value.string { return [text] }
        guard let array = value.array else {
            throw .badRequest("\(known: name) must be an array, not \(known: value.kind)")
        }
        guard array.count <= most else {
            throw .badRequest("\(known: name) has \(array.count) elements, at most \(most) are allowed", .limit(most))
        }
        var texts: [String] = []
        for element in array {
            guard let text = element.string else {
                throw .badRequest("\(known: name) must hold strings, not \(known: element.kind)")
            }
            texts.append(text)
        }
        return texts
    }

    /// A Boolean; queries send it as text.
    func flag(_ name: String) throws(ServerError) -> Bool? {
        switch self[name] {
        case nil: return nil
        case .bool(let flag): return flag
        case .string("true"), .string(""): return true
        case .string("false"): return false
        default: throw .badRequest("\(known: name) must be true or false")
        }
    }

    /// A whole number; queries send it as text.
    func number(_ name: String, in range: ClosedRange<Int64>) throws(ServerError) -> Int64? {
        guard let value = self[name] else { return nil }
        guard let number = value.integer ?? value.string.flatMap({ Int64($0) }), range.contains(number) else {
            throw .badRequest("\(known: name) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A row ID, at least 1.
    func id(_ name: String = "id") throws(ServerError) -> Int64 {
        guard let id = try number(name, in: 1...Int64.max) else { throw .badRequest("\(known: name) is missing") }
        return id
    }

    func environment(_ name: String = "environment") throws(ServerError) -> ContainerEnvironment {
        let text = try text(name)
        guard let environment = ContainerEnvironment(rawValue: text.lowercased()) else {
            throw .badRequest("\(known: name) must be development or production, not '\(Naming.shown(text))'")
        }
        return environment
    }

    /// The argument that asks for a dry run.
    package static let dryRun = "dryRun"

    /// Whether the argument `dryRun` asks for a dry run; queries send it as text.
    func isDryRun() throws(ServerError) -> Bool {
        switch self[Self.dryRun] {
        case nil, .bool(false), .string("false"): return false
        case .bool(true), .string("true"), .string(""): return true
        case let other?:
            throw .badRequest("dryRun must be true or false, not '\(Naming.shown(other.string ?? other.kind))'")
        }
    }

    /// - Throws: `BAD_REQUEST` with the name of an unknown argument.
    func refuseUnknown(_ route: OperationRoute) throws(ServerError) {
        let known = route.pathNames + route.takes
        guard let unknown = names.subtracting(known).min() else { return }
        switch route.unknownArguments {
        case .ignored: return
        case .queryRefused: throw .badRequest("this route takes no parameters")
        case .refused: break
        }
        throw .badRequest(
            "there is no parameter '\(Naming.shown(unknown))'; "
                + (known.isEmpty ? "this takes none" as Reason : "this takes \(known: known.joined(separator: ", "))"))
    }

    // MARK: Audit

    /// Names of arguments that identify an operation's subject, besides the container and the person.
    private static let subjects = [
        "name", "id", "keyID", "database", "owner", "zone", "type", "recordType", "recordName", "shortGUID", "role",
        "url", "scopes", "key", "operator", "operation", "webhook", "matching", "made",
    ]

    /// The operation's subject, for the audit log.
    var subject: String? {
        var parts = Self.subjects.compactMap { name in
            self[name].flatMap(Self.shown).map { name == "url" ? WebhookURL.shown($0) : $0 }
        }
        for operation in self["operations"]?.array ?? [] {
            guard let name = operation.object?["record"]?.object?["recordName"]?.string else { continue }
            parts.append(name)
        }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    private static func shown(_ value: JSONValue) -> String? {
        value.string ?? value.integer.map(String.init)
            ?? value.array.map { $0.compactMap(\.string).joined(separator: ",") }
    }
}
