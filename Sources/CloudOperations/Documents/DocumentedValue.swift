/// A value of an answer, with sentences for documents. The names and types of its properties come from its `Decodable`
/// conformance.
package protocol DocumentedValue: Codable, Sendable {
    static var about: AnswerText { get }
}

/// The sentences on a value of an answer.
package struct AnswerText: Sendable {
    /// The name below `components/schemas` in openapi.yaml; nil for a value that is written in place.
    package let name: String?
    package let sentence: String
    /// A sentence by property.
    package let properties: [String: String]

    package init(_ name: String?, _ sentence: String, _ properties: [String: String] = [:]) {
        self.name = name
        self.sentence = sentence
        self.properties = properties
    }
}
