package import CloudModel
import CloudStore

/// The audit log.
package enum AuditOperations {
    /// A page of the audit log, newest entry first.
    package static let list = AdminOperation<Page<AuditInfo>>(
        .get, "audit", .operations, takes: ["container", "person", "action", "after", "limit"]
    ) { call in
        let (arguments, limit) = (call.arguments, try call.arguments.limit())
        let found = try await call.accounts.audit.entries(
            before: try arguments.number("after", in: 0...Int64.max),
            container: try arguments.optionalText("container"), person: try arguments.optionalText("person"),
            actions: try arguments.texts("action", most: 10), limit: limit + 1)
        let addresses = try await UserAddresses(
            of: found.map { ($0.person, $0.container) }, seenBy: call.identity, call.accounts)
        return Page(
            found.map { AuditInfo($0, email: $0.person.flatMap { addresses[$0] }) }, limit: limit
        ) { String($0.id) }
    }
}

package struct AuditInfo: Codable, Hashable, Sendable {
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
