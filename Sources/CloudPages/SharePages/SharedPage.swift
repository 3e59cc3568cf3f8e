package import CloudAccounts
import CloudHTTP
package import CloudModel
package import CloudStore

/// The page behind an ID under `/share/`.
package struct SharedPage: Sendable {
    package enum Kind: Sendable {
        /// A public record with a page rule.
        case published(PageRecord, PageRule)
        /// A share, with the records visible to the visitor.
        case shared(SharedTree)

        /// The content without the root's fields of places.
        fileprivate var withoutPlaces: Kind {
            switch self {
            case .published(let root, let rule): .published(root.withoutPlaces(), rule)
            case .shared(let tree): .shared(tree.withoutPlaces())
            }
        }
    }

    package let id: String
    package let container: Container
    package let environment: ContainerEnvironment
    package let store: EnvironmentStore
    package let kind: Kind
    /// The owner's user record name.
    package let owner: String
    /// The owner's settings; nil for defaults.
    package let link: PageSettings?
    let visitor: Visitor
    /// True if the visitor learns where pictures were taken. The owner does.
    let showsPlaces: Bool
    /// Record names chosen by the owner; nil for all.
    private let chosen: Set<ExactName>?

    package init(
        id: String, container: Container, environment: ContainerEnvironment, store: EnvironmentStore, kind: Kind,
        owner: String, link: PageSettings?, visitor: Visitor
    ) {
        (self.id, self.container, self.environment, self.store) = (id, container, environment, store)
        (self.owner, self.link, self.visitor) = (owner, link, visitor)
        showsPlaces = visitor.isOwner || link?.showsPlaces == true
        self.kind = showsPlaces ? kind : kind.withoutPlaces
        chosen = link?.items.map { Set($0.map(ExactName.init)) }
    }

    /// The ID of the page's settings; a one-time link uses the settings of its share.
    var settingsID: String {
        if case .shared(let tree) = kind { tree.metadata.shortGUID } else { id }
    }

    /// The page's path, a prefix of its files' paths.
    package var path: String { Self.path(of: id) }

    package static func path(of id: String) -> String { "/share/\(PercentEncoding.encode(id))" }

    /// True if the link alone opens the page; messengers may then preview it.
    var isForAnybody: Bool {
        guard link?.hasPassword != true else { return false }
        switch kind {
        case .published: return true
        case .shared(let tree): return tree.isForAnybody
        }
    }

    /// The form in which this visitor may download files. The link's setting does not bind the owner; the rule's does.
    var downloads: PageDownloads {
        if case .published(_, let rule) = kind, !rule.isDownloadable { return .nothing }
        return visitor.isOwner ? .originals : link?.downloads ?? .originals
    }

    var isDownloadable: Bool { downloads != .nothing }

    /// True if the owner chose to show the record, or did not choose. The owner sees all records.
    package func isChosen(_ recordName: String) -> Bool { chosen?.contains(ExactName(recordName)) ?? true }

    /// True if the page shows its root record. In a share the owner may hide it, like any record.
    var showsRoot: Bool {
        guard case .shared(let tree) = kind, let root = tree.root else { return true }
        return isShown(root.recordName)
    }

    /// True if visitors can join through the link. If the link gives less than membership, only people invited by name
    /// can join.
    var takesJoiners: Bool {
        guard case .shared(let tree) = kind, link?.isRestricted == true else { return true }
        guard case .invited = tree.metadata.standing else { return false }
        return tree.handle.isExactly(tree.metadata.shortGUID)
    }

    func isShown(_ recordName: String) -> Bool { visitor.isOwner || isChosen(recordName) }
}

extension PageCall {
    /// The call in the language of the page's link, unless the visitor's browser asks for one.
    func speaking(_ page: SharedPage) -> PageCall {
        guard let link = page.link?.language else { return self }
        var call = self
        call.language = site.language(of: request, link: link)
        return call
    }
}

/// The visitor of a page.
package struct Visitor: Sendable {
    /// Nil unless signed in.
    package let person: Person?
    let isOwner: Bool
}
