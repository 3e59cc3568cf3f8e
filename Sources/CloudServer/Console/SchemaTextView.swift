import CloudModel
import CloudOperations
import Hummingbird

/// `/console/schema/text`: the schema as text, to look at and, in development, to change.
enum SchemaTextView {
    static let show: ConsoleEndpoint = { call in
        let place = try await call.requirePlace()
        let (text, tag) = try await call.administration(place).schemaText()
        return try SchemaTextPage(text: text, tag: tag).response(call, place)
    }

    /// Says what a text would change, and with `do=apply` changes it.
    static let change: ConsoleEndpoint = { call in
        let place = try await call.requirePlace()
        let administration = try await call.administration(place)
        var page = SchemaTextPage(text: FormFields.lines(call.form["text"] ?? ""), tag: call.form["tag"] ?? "")
        do {
            // Without a tag, so that the page shows what is different from the schema as it is now.
            let planned = try await administration.importSchema(page.text, dryRun: true, ifTag: nil)
            page.outcome = planned
            guard call.form["do"] == "apply" else {
                page.tag = planned.tag ?? ""
                return try page.response(call, place)
            }
            if planned.steps.contains(where: \.losesData), call.form["agreed"] != "yes" {
                page.problem = "Nothing was changed. Records would lose values: agree to that first."
                return try page.response(call, place)
            }
            _ = try await administration.importSchema(page.text, dryRun: false, ifTag: page.tag)
            return .seeOther(place.address(ConsoleView.schema.path))
        } catch let error as SchemaSyntaxError {
            page.fault = error
        } catch let error as ServerError where error.code == .conflict {
            page.problem = "Nothing was changed. \(error.pageText) Below is the difference to the schema as it is now."
            page.tag = page.outcome?.tag ?? ""
        } catch let error as ServerError where [.badRequest, .quotaExceeded].contains(error.code) {
            page.problem = error.pageText
        }
        return try page.response(call, place)
    }
}

/// A text in the editor, and what is known of it.
private struct SchemaTextPage {
    /// Lines shown before and after the one with the error.
    private static let around = 4

    let text: String
    /// Of the schema that the text is meant to change.
    var tag: String
    /// The changes that the text would make.
    var outcome: SchemaOutcome?
    var fault: SchemaSyntaxError?
    var problem: String?

    init(text: String, tag: String) {
        self.text = text
        self.tag = tag
    }

    func response(_ call: ConsoleCall, _ place: ConsolePlace) throws -> Response {
        var content: [String: Any] = [
            "tabs": SchemaTab.contents(current: .text, place), "text": text,
        ]
        content["problem"] = problem
        content["fault"] = fault.map(content(of:))
        content["check"] = outcome.map { outcome in
            var check: [String: Any] = ["steps": outcome.contents]
            if outcome.steps.isEmpty { check["isSame"] = true }
            return PageContent(check)
        }
        if place.environment == .development {
            var editor: [String: Any] = ["hidden": place.hidden, "tag": tag]
            if let fault { editor["at"] = "\(fault.line):\(fault.column)" }
            if outcome?.steps.contains(where: \.losesData) == true { editor["losesData"] = true }
            content["editor"] = PageContent(editor)
        } else {
            content["development"] = place.within(.development).address(SchemaTab.text.path)
        }
        let isGood = problem == nil && fault == nil
        return try call.render(
            "console-schema-text", "Schema", view: .schema, place: place, content, status: isGood ? .ok : .badRequest)
    }

    private func content(of fault: SchemaSyntaxError) -> PageContent {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let wrong = min(max(fault.line, 1), lines.count)
        let shown = max(1, wrong - Self.around)...min(lines.count, wrong + Self.around)
        return PageContent([
            "line": "\(fault.line)", "column": "\(fault.column)",
            "lines": shown.map { number in
                let line = String(lines[number - 1])
                var content: [String: Any] = ["number": "\(number)", "before": line]
                if number == wrong {
                    let (before, marked, after) = Self.parts(of: line, at: fault.column)
                    content["before"] = before
                    content["wrong"] = PageContent(["marked": marked, "after": after, "reason": fault.reason])
                }
                return PageContent(content)
            },
        ])
    }

    /// A line in three: up to a column, the word that begins there, and the rest.
    private static func parts(of line: String, at column: Int) -> (String, String, String) {
        let before = line.prefix(max(column - 1, 0))
        let rest = line.dropFirst(before.count)
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        let marked = word.isEmpty ? rest.prefix(1) : word
        return (String(before), String(marked), String(rest.dropFirst(marked.count)))
    }
}
