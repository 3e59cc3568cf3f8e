import CloudModel
import CloudStore

/// The page that an id under `/share/` stands for.
struct SharedPage: Sendable {
    enum Kind: Sendable {
        /// A public record whose type has a page rule.
        case published(PageRecord, PageRule)
        /// The records that a share record shares, as the visitor may see them.
        case shared(SharedTree)
    }

    let id: String
    let container: Container
    let environment: ContainerEnvironment
    let store: any EnvironmentStore
    let kind: Kind
    /// User record name of whoever it belongs to.
    let owner: String
    /// The owner's settings for it; nil when there are none.
    let link: PageSettings?
    let visitor: Visitor
    /// The names that the owner chose; nil for all.
    private let chosen: Set<ExactName>?

    init(
        id: String, container: Container, environment: ContainerEnvironment, store: any EnvironmentStore, kind: Kind,
        owner: String, link: PageSettings?, visitor: Visitor
    ) {
        (self.id, self.container, self.environment, self.store) = (id, container, environment, store)
        (self.kind, self.owner, self.link, self.visitor) = (kind, owner, link, visitor)
        chosen = link?.items.map { Set($0.map(ExactName.init)) }
    }

    /// The id that what is settled about it is kept under: a one-time link leads to the page of its share.
    var settingsID: String {
        if case .shared(let tree) = kind { tree.metadata.shortGUID } else { id }
    }

    /// The path of the page, to which those of its files are added.
    var path: String { Self.path(of: id) }

    static func path(of id: String) -> String { "/share/\(PercentEncoding.encode(id))" }

    /// True if anybody with the link sees the page, so that a messenger may show a picture of it.
    var isForAnybody: Bool {
        guard link?.hasPassword != true else { return false }
        switch kind {
        case .published: return true
        case .shared(let tree): return tree.isForAnybody
        }
    }

    var isDownloadable: Bool {
        if case .published(_, let rule) = kind { rule.isDownloadable } else { true }
    }

    /// Returns true if the owner chose to show the record. The owner sees all records.
    func isChosen(_ recordName: String) -> Bool { chosen?.contains(ExactName(recordName)) ?? true }

    /// True if the page shows its own record. In a share the root is a record like the others.
    var showsRoot: Bool {
        guard case .shared(let tree) = kind, let root = tree.root else { return true }
        return isShown(root.recordName)
    }

    /// True if people can join by this link. Where the owner chose what the page shows, only people invited by name
    /// can.
    var takesJoiners: Bool {
        guard case .shared(let tree) = kind, link?.items != nil else { return true }
        guard case .invited = tree.metadata.standing else { return false }
        return tree.handle.isExactly(tree.metadata.shortGUID)
    }

    func isShown(_ recordName: String) -> Bool { visitor.isOwner || isChosen(recordName) }
}

/// A person who looks at a page.
struct Visitor: Sendable {
    /// Nil when nobody is signed in.
    let person: Person?
    let isOwner: Bool
}
