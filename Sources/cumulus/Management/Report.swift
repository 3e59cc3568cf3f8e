import CloudModel
import CloudOperations
import Foundation

/// A command's output, as text and as JSON.
struct Report {
    /// The bare result, for use in `$(cumulus …)`.
    let text: String
    /// A remark for people, on standard error.
    let remark: String?
    let json: JSONValue

    /// - Parameter text: may contain client-chosen text; control characters except line ends are escaped (``PlainText``).
    init(_ text: String, remark: String? = nil, json: JSONValue) {
        self.init(styled: PlainText.block(text), remark: remark, json: json)
    }

    /// - Parameter text: escaped already, with colour codes.
    init(styled text: String, remark: String? = nil, json: JSONValue) {
        self.text = text
        self.remark = remark.map(PlainText.block)
        self.json = json
    }

    func print(asJSON: Bool) {
        if asJSON {
            var writer = JSONWriter()
            writer.value(json)
            Swift.print(PlainText.block(String(decoding: writer.bytes, as: UTF8.self)))
        } else {
            Swift.print(text)
            if let remark { FileHandle.standardError.write(Data((remark + "\n").utf8)) }
        }
    }

    /// A table of aligned columns; a sentence for an empty list.
    static func list<Element>(
        _ elements: [Element], empty: String, columns: [String], row: (Element) -> [String],
        json: (Element) -> JSONValue
    ) -> Report {
        let text = elements.isEmpty ? empty : Table(columns: columns, rows: elements.map(row)).text
        return Report(text, json: .array(elements.map(json)))
    }
}

extension Report {
    /// A report whose JSON is an operation's answer.
    init(_ text: String, remark: String? = nil, answer: some Encodable) {
        self.init(text, remark: remark, json: JSONValue(answer: answer))
    }

    /// A table of an operation's answer.
    static func list<Element: Encodable & SendableMetatype>(
        _ elements: [Element], empty: String, columns: [String], row: (Element) -> [String]
    ) -> Report {
        list(elements, empty: empty, columns: columns, row: row, json: JSONValue.init(answer:))
    }
}

extension JSONValue {
    /// The JSON of an operation's answer.
    init(answer: some Encodable) {
        self = (try? JSONParser.parse(OperationJSON.encode(answer))) ?? .null
    }

    static func text(_ text: String?) -> JSONValue? { text.map(JSONValue.string) }

    static func date(_ moment: Timestamp) -> JSONValue { .string(moment.date.formatted(.iso8601)) }
}
