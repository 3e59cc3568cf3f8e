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
        /// The name entered for a new record.
        var naming = ""
        let fields: [FieldView]
        /// Nil for a new record.
        var context: RecordContext.View?

        struct Verdict: PageView {
            let kind: String
            let text: String
            let json: String
        }
    }
}
