import CloudAccounts
package import CloudModel

/// The audit log.
package enum AuditOperations {
    package static let list = AdminOperation<AuditPage, Page<AuditInfo>>(
        .get("audit", .operations), OperationText("listAudit", "The audit log, newest entry first.")
    ) { call, input in
        let limit = Int(input.page.limit)
        let found = try await call.accounts.audit.entries(
            before: input.page.after,
            container: input.container, person: input.person,
            actions: input.actions, limit: limit + 1)
        let addresses = try await UserAddresses(
            of: found.map { ($0.person, $0.container) }, seenBy: call.identity, call.accounts)
        return Page(
            found.map { AuditInfo($0, email: $0.person.flatMap { addresses[$0] }) }, limit: limit
        ) { String($0.id) }
    }
}

package struct AuditPage: OperationInput {
    package let container: String?
    package let person: String?
    package let actions: [String]
    package let page: NumberedPage

    package static let fields = InputFields(
        Self.init, .text("container", \.container, "Only lines about this container."),
        .text("person", \.person, "Only lines about this email address or user record name."),
        .texts("action", \.actions, most: 10, "Only lines about this action, in the words of the log."),
        .group(\.page))
}

package struct AuditInfo: Codable, Hashable, DocumentedValue {
    package static let about = AnswerText(
        "AdminAuditLine", "An entry of the audit log.",
        [
            "person": "An email address or a user record name.",
            "email": "The address of a person named by user record name.",
        ])

    package let id: Int64
    package let time: Timestamp
    package let who: String
    package let action: String
    package let container: String?
    package let environment: ContainerEnvironment?
    /// An email address or a user record name.
    package let person: String?
    /// The address of a person named by user record name; nil without an address.
    package let email: String?
    package let subject: String?

    init(_ entry: AuditEntry, email: String?) {
        id = entry.id
        time = entry.time
        who = entry.who
        action = entry.action
        container = entry.container
        environment = entry.environment
        person = entry.person
        self.email = email
        subject = entry.subject
    }
}
