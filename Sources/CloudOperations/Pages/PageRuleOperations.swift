package import CloudModel
import CloudStore

/// Operations on page rules, which give public records a page below `/share/`.
package enum PageRuleOperations {
    package static let list = AdminOperation<Page<PageRuleInfo>>(
        .get, "pages", .operations, takes: ["container", "after", "limit"]
    ) { call in
        let rules = try await call.accounts.pageRules.list(container: try call.arguments.optionalText("container"))
        return try call.arguments.page(of: rules.map(PageRuleInfo.init)) { ListPlace($0.container, $0.recordType) }
    }

    /// Sets the page rule of a record type, replacing any earlier rule.
    package static let set = AdminOperation<PageRuleInfo>(
        .put, "pages", .operations, takes: ["container", "rule"], audit: .change("set a page's rule")
    ) { call in
        let container = try call.arguments.text("container")
        guard let json = call.arguments["rule"] else { throw ServerError.badRequest("rule is missing") }
        let rule = try PageRule(json)
        try await call.accounts.pageRules.set(rule, container: container)
        return PageRuleInfo(container: container, rule)
    }

    package static let remove = AdminOperation<Done>(
        .delete, "pages", .operations, takes: ["container", "recordType"], audit: .change("removed a page's rule")
    ) { call in
        try await call.accounts.pageRules.remove(
            recordType: try call.arguments.text("recordType"), container: try call.arguments.text("container"))
        return Done()
    }
}

package struct PageRuleInfo: Codable, Hashable, Sendable {
    package let container: String
    package let recordType: String
    /// The template of the page's title.
    package let title: String
    /// The record type of the page's items; nil without items.
    package let itemType: String?
    package let app: String?
    package let rule: JSONValue

    init(container: String, _ rule: PageRule) {
        self.container = container
        recordType = rule.recordType
        title = rule.title.source
        itemType = rule.items?.recordType
        app = rule.app?.name
        self.rule = rule.json
    }

    init(_ rule: ContainerPageRule) { self.init(container: rule.container.name, rule.rule) }
}
