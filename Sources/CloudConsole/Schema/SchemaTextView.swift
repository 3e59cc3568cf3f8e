import CloudHTTP
import CloudModel
import CloudOperations

/// `/console/schema/text`: shows the schema as text and, in development, edits it.
enum SchemaTextView {
    static let show: ConsoleEndpoint = { call in
        let place = try await call.requirePlace()
        let schema = try await call.operations.run(SchemaOperations.export, place.address)
        return try SchemaTextPage(text: schema.text, tag: schema.tag).response(call, place)
    }

    /// Lists the changes that a text would make; with `do=apply`, makes them.
    static let change: ConsoleEndpoint = { call in
        let place = try await call.requirePlace()
        var page = SchemaTextPage(text: FormFields.lines(call.form["text"] ?? ""), tag: call.form["tag"] ?? "")
        do {
            // No tag is required, so the page compares the text with the current schema.
            let planned = try await call.operations.run(
                SchemaOperations.importText, SchemaImport(page.text, SchemaPlan(place.address, dryRun: true)))
            page.outcome = planned
            guard call.form["do"] == "apply" else {
                page.tag = planned.tag ?? ""
                return try page.response(call, place)
            }
            if planned.steps.contains(where: \.losesData), call.form["agreed"] != "yes" {
                page.problem = "Nothing was changed. Records would lose values: agree to that first."
                return try page.response(call, place)
            }
            _ = try await call.operations.run(
                SchemaOperations.importText, SchemaImport(page.text, SchemaPlan(place.address, ifTag: page.tag)))
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

/// The page with the editor's text and the check's result.
private struct SchemaTextPage {
    /// Context lines shown on each side of an error.
    private static let around = 4

    let text: String
    /// The tag of the edited schema.
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
        let isDevelopment = place.environment == .development
        let content = SchemaTextView.Content(
            tabs: SchemaTab.tabs(current: .text, place), problem: problem, fault: fault.map(view),
            check: outcome.map { .init(isSame: $0.steps.isEmpty, steps: $0.lines) },
            editor: isDevelopment ? editor(place) : nil,
            development: isDevelopment ? nil : place.within(.development).address(SchemaTab.text.path), text: text)
        let isGood = problem == nil && fault == nil
        return try call.render(
            content, title: "Schema", view: .schema, place: place, status: isGood ? .ok : .badRequest)
    }

    private func editor(_ place: ConsolePlace) -> SchemaTextView.Content.Editor {
        .init(
            hidden: place.hidden, tag: tag, at: fault.map { "\($0.line):\($0.column)" },
            losesData: outcome?.steps.contains(where: \.losesData) == true)
    }

    private func view(_ fault: SchemaSyntaxError) -> SchemaTextView.Content.Fault {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let wrong = min(max(fault.line, 1), lines.count)
        let shown = max(1, wrong - Self.around)...min(lines.count, wrong + Self.around)
        return .init(
            line: "\(fault.line)", column: "\(fault.column)",
            lines: shown.map { number in
                let line = String(lines[number - 1])
                guard number == wrong else { return .init(number: "\(number)", before: line, wrong: nil) }
                let (before, marked, after) = Self.parts(of: line, at: fault.column)
                return .init(
                    number: "\(number)", before: before,
                    wrong: .init(marked: marked, after: after, reason: fault.reason))
            })
    }

    /// Splits a line into the text before a column, the word at the column, and the remainder.
    private static func parts(of line: String, at column: Int) -> (String, String, String) {
        let before = line.prefix(max(column - 1, 0))
        let rest = line.dropFirst(before.count)
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        let marked = word.isEmpty ? rest.prefix(1) : word
        return (String(before), String(marked), String(rest.dropFirst(marked.count)))
    }
}
