extension RequestView {
    struct Content: ConsoleContent {
        static let template = "console-request"

        let back: String
        let id: String
        let status: String
        /// The class of the outcome's badge.
        let look: String
        let outcome: String
        let verdict: RequestVerdict.View
        let steps: [Step]
        let sheets: [SheetView]
        /// The body, where it is kept.
        let sent: String?
        /// Nil where the record does not tell the whole address.
        let command: RequestCommand.View?
        let facts: [Fact]
        let time: RequestTime
        let work: [Fact]

        /// A decision on the way.
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
