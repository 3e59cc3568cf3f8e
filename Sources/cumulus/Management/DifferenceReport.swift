import CloudModel
import CloudOperations
import Foundation

extension Report {
    /// The steps between two schemas, a line for each, in colour on a terminal.
    ///
    /// - Parameters:
    ///   - none: the text for equal schemas.
    ///   - remark: a note below the steps.
    static func difference(_ steps: [SchemaStep], none: String, remark: String) -> Report {
        let text = PlainText.block(steps.map(\.text).joined())
        let json = JSONValue.members([
            "changes": .array(
                steps.map { .members(["text": .string($0.text), "losesData": .bool($0.losesData)]) })
        ])
        guard !steps.isEmpty else { return Report(none, json: json) }
        let shown = Terminal.hasColours ? Self.coloured(text) : text
        return Report(styled: String(shown.dropLast()), remark: remark, json: json)
    }

    static func coloured(_ text: String) -> String {
        text.split(separator: "\n").map { line in
            let code =
                switch line.first {
                case "+": "32"
                case "-": "31"
                default: "33"
                }
            return "\u{1B}[\(code)m\(line)\u{1B}[0m\n"
        }.joined()
    }
}
