extension SchemaView {
    struct Content: ConsoleContent {
        static let template = "console-schema"

        var summary: String?
        /// The form of a new type; nil on pages about something else.
        var newType: String?
        let tabs: [ConsoleTab]
        var problem: String?
        /// The index builds that run.
        var builds: [String] = []
        var gaps: [SchemaGaps.View] = []
        let sheets: [SheetView]
        /// The form that gives somebody a custom role; nil where there is none.
        var granting: Granting?

        struct Granting: PageView {
            let roles: [String]
            let hidden: [FilledField]
        }
    }
}
