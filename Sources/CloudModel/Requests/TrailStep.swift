/// A decision that let a request pass. The trail of a refused request ends with its ``Cause``.
package enum TrailStep: Hashable, Sendable {
    case credentials(Credential)
    case place(container: String, environment: ContainerEnvironment, database: DatabaseScope)
    /// A write has extended the schema.
    case schemaGrew(type: String)
    /// A role of the caller grants the permission.
    case permission(Permission, type: String?, role: String)
    case share(ShareAccess)
    /// The field whose index drives a query of a type; nil for a full scan of the type. `marks` are the index marks that the
    /// query uses.
    case index(type: String, lead: String?, marks: [UsedMark])
    /// Development permits the query; production would refuse it.
    case refusedInProduction(IndexFault)
    /// The target of a share link and the share's number there; nil for a public record or a former share. The link itself is
    /// secret.
    case link(container: String, environment: ContainerEnvironment, share: Int64?)
    /// A fault injected by a test, through a rule or in the request itself.
    case fault(rule: Int?)

    /// Valid credentials of a request.
    package enum Credential: Hashable, Sendable {
        case developmentToken
        case apiToken(Int64)
        case session
        case serverKey
        case managementToken(Int64)
        case link

        package var text: String {
            switch self {
            case .developmentToken: "the development token"
            case .apiToken(let id): "API token \(id)"
            case .session: "a web auth token"
            case .serverKey: "a server-to-server key"
            case .managementToken(let id): "management token \(id)"
            case .link: "a signed link"
            }
        }
    }

    /// The caller's kind of access to another user's shared records.
    package enum ShareAccess: String, Sendable {
        case zone = "member of a share of the whole zone"
        case records = "member of shares of some records"
    }

    /// All kinds.
    package static let kinds = [
        "credentials", "place", "schema", "permission", "share", "index", "production", "link", "fault",
    ]

    package var kind: String {
        switch self {
        case .credentials: "credentials"
        case .place: "place"
        case .schemaGrew: "schema"
        case .permission: "permission"
        case .share: "share"
        case .index: "index"
        case .refusedInProduction: "production"
        case .link: "link"
        case .fault: "fault"
        }
    }

    package var text: String {
        switch self {
        case .credentials(let credential): credential.text
        case .place(let container, let environment, let database):
            "\(container), \(environment.rawValue), \(database.rawValue) database"
        case .schemaGrew(let type): "'\(type)' was made, or got fields"
        case .permission(let permission, let type, let role):
            "\(permission.rawValue)\(type.map { " on '\($0)'" } ?? "") is granted to \(role)"
        case .share(let access): access.rawValue
        case .index(_, let lead, _): lead.map { "led by \($0)" } ?? "led by no index"
        case .refusedInProduction(let fault): "production would refuse it: \(fault.text)"
        case .link(let container, let environment, let share):
            "leads to \(share.map { "share \($0) of " } ?? "")\(container), \(environment.rawValue)"
        case .fault(let rule): rule.map { "fault \($0) decided" } ?? "the header X-Cumulus-Fault decided"
        }
    }
}
