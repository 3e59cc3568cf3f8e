import CloudAccounts
import CloudAssets
import CloudHTTP
import CloudModel
import CloudStore

/// The pictures that a page shows first, in the forms in which it is asked for them.
struct PageBeginning: Sendable {
    struct Picture: Hashable, Sendable {
        let asset: AssetKey
        let size: PreviewSize
    }

    /// The most tiles.
    static let tiles = 60

    /// In the order in which they are needed: the cover for messengers, then what stands on the page.
    let pictures: [Picture]

    init(_ page: SharedPage, orders: PageOrders, limits: Limits) async throws {
        let part = try await page.part(after: nil, .english, orders: orders, limits: limits)
        let shown = part.files.filter(\.isPicture)
        let first = shown.first ?? part.files.first(where: \.hasPoster)
        let cover = page.isForAnybody ? first.map { [Picture(asset: $0.asset.key, size: .cover)] } ?? [] : []
        let tiles = page.tiles(of: part.files, isWhole: part.next == nil)
        let keys = Set(tiles.map(\.key))
        // What stands alone is shown whole.
        let isLone = tiles.count == 1 && part.next == nil
        pictures =
            cover
            + part.files.filter(\.hasPreview).prefix(Self.tiles).map {
                Picture(asset: $0.asset.key, size: isLone || !keys.contains($0.key) ? .medium : .tile)
            }
    }
}

extension PageBeginning {
    /// The beginning of a share's page as a visitor sees it; nil if the page shows nothing to visitors.
    static func find(
        _ share: OwnShare, of container: Container, _ environment: ContainerEnvironment, in store: EnvironmentStore,
        now: Timestamp, orders: PageOrders, limits: Limits
    ) async throws -> PageBeginning? {
        try await store.inOneSnapshot {
            let link = try await store.pageSettings.find(share.shortGUID, owner: share.owner)
            if let link, !link.isOpen(at: now) { return nil }
            // Only the owner may see every share; what the owner chose for others is shown.
            let owner = Person(userRecordName: share.owner)
            let metadata = try await store.shares.find(share.shortGUID, as: owner)
            let tree = try SharedTree(metadata, handle: share.shortGUID, viewer: owner, store: store)
            return try await PageBeginning(
                SharedPage(
                    id: share.shortGUID, container: container, environment: environment, store: store,
                    kind: .shared(tree), owner: share.owner, link: link,
                    visitor: Visitor(person: owner, isOwner: false)), orders: orders, limits: limits)
        }
    }
}
