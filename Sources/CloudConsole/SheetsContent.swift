import CloudPages
import CloudModel

/// A page of tables, with links, buttons and forms.
struct SheetsContent: ConsoleContent {
    static let template = "console-sheets"

    let links: [PageLink]
    let buttons: [Button]
    let hasTabs: Bool
    let tabs: [ConsoleTab]
    let problem: String?
    let secret: Secret?
    let remark: String?
    let search: Search?
    let hasFacts: Bool
    let facts: [Fact]
    /// The table that refreshes itself.
    let live: SheetView?
    let sheets: [SheetView]
    let forms: [ConsoleFormView]
    let trial: SubscriptionTest.View?

    /// A single-button form beside the heading.
    struct Button: PageView {
        let label: String
        let path: String
        let fields: [FilledField]
        var isDanger = false
        /// Whether the button changes nothing, so that every role may use it.
        var isLook = false
    }

    /// A new credential's text, shown on this page only.
    struct Secret: PageView {
        let label: String
        let value: String
    }

    struct Search: PageView {
        let label: String
        let value: String
    }

    /// - Parameter now: the base of relative times.
    init(
        now: Timestamp, sheets: [Sheet], links: [PageLink] = [], buttons: [Button] = [], tabs: [ConsoleTab] = [],
        problem: String? = nil, secret: Secret? = nil, remark: String? = nil, search: Search? = nil,
        facts: [Fact] = [], live: Sheet? = nil, forms: [ConsoleForm] = [], trial: SubscriptionTest.View? = nil
    ) {
        self.links = links
        self.buttons = buttons
        hasTabs = !tabs.isEmpty
        self.tabs = tabs
        self.problem = problem
        self.secret = secret
        self.remark = remark
        self.search = search
        hasFacts = !facts.isEmpty
        self.facts = facts
        self.live = live.map { SheetView($0, now: now) }
        self.sheets = sheets.map { SheetView($0, now: now) }
        self.forms = forms.map(ConsoleFormView.init)
        self.trial = trial
    }
}
