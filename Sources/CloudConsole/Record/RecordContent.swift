import CloudPages

extension RecordPage {
    struct Content: ConsoleContent {
        static let template = "console-record"

        let heading: String
        let type: String
        let database: String
        let back: String
        let isPrivate: Bool
        var problem: String?
        /// The outcome of a rehearsed save; nil without a rehearsal.
        var verdict: Verdict?
        let hidden: [FilledField]
        /// The record's change tag when the form was made; nil for a new record.
        var tag: String?
        /// The field for the name of a new record; empty for an existing one.
        var inputs: [FormFieldView] = []
        let fields: [FieldView]
        /// Nil for a new record.
        var context: RecordContext.View?

        init(
            heading: String, type: String, database: String, back: String, isPrivate: Bool, problem: String? = nil,
            verdict: Verdict? = nil, hidden: [FilledField], tag: String? = nil, inputs: [FormFieldView] = [],
            fields: [FieldView], context: RecordContext.View? = nil
        ) {
            self.heading = heading
            self.type = type
            self.database = database
            self.back = back
            self.isPrivate = isPrivate
            self.problem = problem
            self.verdict = verdict
            self.hidden = hidden
            self.tag = tag
            self.inputs = inputs
            self.fields = fields
            self.context = context
        }

        struct Verdict: PageView {
            let kind: String
            let text: String
            let json: String
        }
    }
}
