import CloudPages

extension SchemaTextView {
    struct Content: ConsoleContent {
        static let template = "console-schema-text"

        let tabs: [ConsoleTab]
        let problem: String?
        let fault: Fault?
        /// The changes that the text would make.
        let check: Check?
        /// Nil in production, whose schema comes from development.
        let editor: Editor?
        /// The address of development's schema text; nil in development.
        let development: String?
        let text: String

        init(
            tabs: [ConsoleTab], problem: String?, fault: Fault?, check: Check?, editor: Editor?, development: String?,
            text: String
        ) {
            self.tabs = tabs
            self.problem = problem
            self.fault = fault
            self.check = check
            self.editor = editor
            self.development = development
            self.text = text
        }

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
            /// The line and column of the error.
            let at: String?
            let losesData: Bool
        }
    }
}
