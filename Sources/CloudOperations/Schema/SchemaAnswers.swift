package import CloudModel
package import CloudStore

/// A schema's text and tag.
package struct SchemaExport: OperationAnswer {
    package let text: String
    package let tag: String

    package static var content: AnswerContent { .text }

    package func output(prefersJSON: Bool) -> AnswerOutput { AnswerOutput(.text(text), tag: tag) }

    package static func received(_ response: AnswerOutput) throws -> SchemaExport {
        guard case .text(let text) = response.body else { throw MalformedAnswer() }
        return SchemaExport(text: text, tag: response.tag ?? "")
    }
}

/// The result of a schema change, made or planned.
package struct SchemaOutcome: Codable, Hashable, OperationAnswer, DocumentedValue {
    package let steps: [SchemaStep]
    package let dryRun: Bool
    /// The tag of the schema that a planned change starts from, to make the change conditional on it; nil after the change.
    package private(set) var tag: String?

    package static let about = AnswerText(
        "SchemaSteps", "The steps of a schema change.", ["dryRun": "Whether the change was only planned."])

    enum CodingKeys: String, CodingKey {
        case steps = "changes"
        case dryRun
    }

    package static var content: AnswerContent { .textOrJSON }

    init(steps: [SchemaStep], dryRun: Bool, tag: String?) {
        self.steps = steps
        self.dryRun = dryRun
        self.tag = tag
    }

    package func output(prefersJSON: Bool) throws -> AnswerOutput {
        AnswerOutput(prefersJSON ? .json(try OperationJSON.encode(self)) : .text(steps.map(\.text).joined()), tag: tag)
    }

    package static func received(_ response: AnswerOutput) throws -> SchemaOutcome {
        guard case .json(let bytes) = response.body else { throw MalformedAnswer() }
        var outcome = try OperationJSON.decode(SchemaOutcome.self, bytes)
        outcome.tag = response.tag
        return outcome
    }

    package var auditSubject: String? {
        let lines = steps.flatMap { $0.text.split(separator: "\n") }
        return "\(steps.count) changes: \(lines.joined(separator: "; "))"
    }
}

/// A migration step between schemas, readable for people and programs.
package struct SchemaStep: Codable, Hashable, Sendable, DocumentedValue {
    /// Lines with a leading `+`, `-` or `~`.
    package let text: String
    /// Whether the step deletes records or field values.
    package let losesData: Bool

    package static let about = AnswerText(
        nil, "",
        [
            "text": "A line, or several, that begin with `+`, `-` or `~`.",
            "losesData": "Whether the step deletes records, or values of fields.",
        ])

    package init(_ change: SchemaChange) {
        text = SchemaDifference.text([change])
        losesData = change.losesData
    }
}

/// Running index builds, and removed types whose records await deletion.
package struct IndexBuilds: Codable, Hashable, OperationAnswer {
    package let builds: [IndexBuildInfo]
}

package struct IndexBuildInfo: Codable, Hashable, Sendable, DocumentedValue {
    package let recordType: String
    package let state: IndexBuildProgress.State
    /// Names of the fields being indexed.
    package let fields: [String]
    package let done: Int
    package let total: Int

    package static let about = AnswerText(
        nil, "",
        [
            "state":
                "`waiting` for a build of the same type; `removing`: the type is removed, its records are being deleted.",
            "fields": "The fields being indexed.",
            "done": "Records in the indexes.",
            "total": "Records that will be in the indexes; of a removed type the remaining records.",
        ])

    init(_ build: IndexBuildProgress) {
        recordType = build.type
        state = build.state
        fields = build.fields
        done = Int(build.done)
        total = Int(build.total)
    }
}
