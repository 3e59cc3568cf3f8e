import CloudPages

extension SchemaView {
    struct Content: ConsoleContent {
        static let template = "console-schema"

        var summary: String?
        /// The address of the form for a new type; nil on other pages.
        var newType: String?
        let tabs: [ConsoleTab]
        var problem: String?
        /// The running index builds.
        var builds: [String] = []
        var gaps: [SchemaGaps.View] = []
        let sheets: [SheetView]
        /// The form that grants a custom role; nil if the schema has no custom roles.
        var granting: ConsoleFormView?

        init(
            summary: String? = nil, newType: String? = nil, tabs: [ConsoleTab], problem: String? = nil,
            builds: [String] = [], gaps: [SchemaGaps.View] = [], sheets: [SheetView], granting: ConsoleFormView? = nil
        ) {
            self.summary = summary
            self.newType = newType
            self.tabs = tabs
            self.problem = problem
            self.builds = builds
            self.gaps = gaps
            self.sheets = sheets
            self.granting = granting
        }
    }
}
