extension SchemaTextView {
    struct Content: ConsoleContent {
        static let template = "console-schema-text"

        let tabs: [ConsoleTab]
        let problem: String?
        let fault: Fault?
        /// What the text would change.
        let check: Check?
        /// Nil in production, which takes its schema from development.
        let editor: Editor?
        /// The address of the text in development; nil there.
        let development: String?
        let text: String

        /// The lines around an error.
        struct Fault: PageView {
            let line: String
            let column: String
            let lines: [Line]
        }

        struct Line: PageView {
            let number: String
            let before: String
            let wrong: Wrong?
        }

        /// The remainder of a line, starting at an error.
        struct Wrong: PageView {
            let marked: String
            let after: String
            let reason: String
        }

        struct Check: PageView {
            let isSame: Bool
            let steps: [SchemaStep]
        }

        struct Editor: PageView {
            let hidden: [FilledField]
            let tag: String
            /// The line and column of an error.
            let at: String?
            let losesData: Bool
        }
    }
}
