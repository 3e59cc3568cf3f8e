import CloudModel
package import CloudTransfer

/// The answer of an operation: its form in HTTP, and its description for documents.
package protocol OperationAnswer: Sendable {
    static var content: AnswerContent { get }

    /// - Parameter prefersJSON: whether the caller accepts JSON.
    func output(prefersJSON: Bool) throws -> AnswerOutput

    /// - Throws: if the response has another form.
    static func received(_ response: AnswerOutput) throws -> Self

    /// The subject of a change's audit entry; nil takes it from the arguments.
    var auditSubject: String? { get }
}

/// An answer as it travels.
package struct AnswerOutput: Sendable {
    package enum Body: Sendable {
        case json([UInt8])
        case text(String)
        /// A zip, written while it is read.
        case zip(PersonExport)
    }

    package let body: Body
    /// The `ETag`.
    package let tag: String?

    package init(_ body: Body, tag: String? = nil) {
        self.body = body
        self.tag = tag
    }
}

/// The content types of an answer.
package enum AnswerContent: Sendable {
    case json
    case text
    /// Text, or JSON for callers that prefer it.
    case textOrJSON
    case zip
}

/// Thrown for a response body that does not decode as the answer.
struct MalformedAnswer: Error {}

extension OperationAnswer {
    package var auditSubject: String? { nil }
}

extension OperationAnswer where Self: Codable {
    package static var content: AnswerContent { .json }

    package func output(prefersJSON: Bool) throws -> AnswerOutput {
        AnswerOutput(.json(try OperationJSON.encode(self)))
    }

    package static func received(_ response: AnswerOutput) throws -> Self {
        guard case .json(let bytes) = response.body else { throw MalformedAnswer() }
        return try OperationJSON.decode(Self.self, bytes)
    }
}
