import CloudPages

extension RequestView {
    struct Content: ConsoleContent {
        static let template = "console-request"

        let back: String
        let id: String
        let status: String
        /// The CSS class of the outcome's badge.
        let look: String
        let outcome: String
        let verdict: RequestVerdict.View
        let steps: [Step]
        let sheets: [SheetView]
        /// The recorded body; nil if not recorded.
        let sent: String?
        /// Nil if the record does not contain the full path.
        let command: RequestCommand.View?
        let facts: [Fact]
        let time: RequestTime
        let work: [Fact]

        init(
            back: String, id: String, status: String, look: String, outcome: String, verdict: RequestVerdict.View,
            steps: [Step], sheets: [SheetView], sent: String?, command: RequestCommand.View?, facts: [Fact],
            time: RequestTime, work: [Fact]
        ) {
            self.back = back
            self.id = id
            self.status = status
            self.look = look
            self.outcome = outcome
            self.verdict = verdict
            self.steps = steps
            self.sheets = sheets
            self.sent = sent
            self.command = command
            self.facts = facts
            self.time = time
            self.work = work
        }

        /// A step of the trail.
        struct Step: PageView {
            let hasPassed: Bool
            let hasStopped: Bool
            let about: String
            let text: String
        }

        struct Fact: PageView {
            let title: String
            let value: String
            let link: String?
        }
    }
}
