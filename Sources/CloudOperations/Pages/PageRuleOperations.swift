import CloudAccounts
package import CloudModel

/// Operations on page rules, which give public records a page below `/share/`.
package enum PageRuleOperations {
    package static let list = AdminOperation<ContainerPage, Page<PageRuleInfo>>(
        .get("pages", .operations), OperationText("listPages", "The record types that have a page.")
    ) { call, input in
        let rules = try await call.accounts.pageRules.list(container: input.container)
        return try input.page.page(of: rules.map(PageRuleInfo.init)) { ListPlace($0.container, $0.recordType) }
    }

    package static let set = AdminOperation<NewPageRule, PageRuleInfo>(
        .put("pages", .operations),
        OperationText("setPage", "Give a record type its page, in place of an earlier page."),
        audit: .change("set a page's rule")
    ) { call, input in
        let rule = try PageRule(input.rule)
        try await call.accounts.pageRules.set(rule, container: input.container)
        return PageRuleInfo(container: input.container, rule)
    }

    package static let remove = AdminOperation<PageRuleChoice, Done>(
        .delete("pages", .operations),
        OperationText("removePage", "Take the page of a record type away. The records stay."),
        audit: .change("removed a page's rule")
    ) { call, input in
        try await call.accounts.pageRules.remove(recordType: input.recordType, container: input.container)
        return Done()
    }
}

package struct NewPageRule: OperationInput {
    package let container: String
    package let rule: JSONValue

    package static let fields = InputFields(
        Self.init, .text("container", \.container, "The container it is for."),
        .json("rule", \.rule, "The rule; docs/share-pages.md describes its members."))
}

package struct PageRuleChoice: OperationInput {
    package let container: String
    package let recordType: String

    package static let fields = InputFields(
        Self.init, .text("container", \.container, "The container it is of."),
        .text("recordType", \.recordType, "The record type."))
}

package struct PageRuleInfo: Codable, Hashable, OperationAnswer, DocumentedValue {
    package static let about = AnswerText(
        "AdminPage", "A record type's page, and its rule.",
        [
            "title": "The template of the page's title; of several languages the English one, else the first.",
            "itemType": "The record type of the page's items.",
        ])

    package let container: String
    package let recordType: String
    /// The template of the page's title, for English.
    package let title: String
    /// The record type of the page's items; nil without items.
    package let itemType: String?
    package let app: String?
    package let rule: JSONValue

    init(container: String, _ rule: PageRule) {
        self.container = container
        recordType = rule.recordType
        title = rule.title.template("en").source
        itemType = rule.items?.recordType
        app = rule.app?.name
        self.rule = rule.json
    }

    init(_ rule: ContainerPageRule) { self.init(container: rule.container.name, rule.rule) }
}
