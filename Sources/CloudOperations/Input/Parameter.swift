package import CloudModel

/// A parameter of an operation: its name, type, limits and a sentence for documents and help.
package struct Parameter: Hashable, Sendable {
    /// The type and limits of a value.
    package indirect enum Kind: Hashable, Sendable {
        /// A text, with its length limit in bytes; 0 for no limit of its own.
        case text(atMost: Int)
        /// One of these texts.
        case choice([String])
        case flag
        case number(ClosedRange<Int64>)
        /// An array, with the most elements; a single element counts as an array.
        case list(Kind, most: Int)
        /// A JSON object.
        case object
        /// An array of JSON objects.
        case objects
    }

    /// The part of a request that carries a parameter.
    package enum Location: Hashable, Sendable {
        /// The path if it names the parameter, else the JSON body of a POST or PUT, else the query.
        case usual
        /// The whole body, a text.
        case body
        case header(String)
        /// The query, also beside a body.
        case query
    }

    package let name: String
    package let kind: Kind
    /// A sentence on the value's meaning.
    package let about: String
    package var isRequired = false
    /// The value without the parameter; nil for none.
    package var standard: JSONValue?
    package var location = Location.usual

    /// The texts of a choice, or of a list of choices; empty for other kinds.
    package var choices: [String] {
        switch kind {
        case .choice(let choices), .list(.choice(let choices), _): choices
        default: []
        }
    }
}
