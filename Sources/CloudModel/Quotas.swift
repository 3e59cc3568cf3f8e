/// Storage limits of one environment of a container; 0 means unlimited.
package struct Quotas: Hashable, Sendable {
    /// Per user: the private database, and for the byte limit also the key-value store.
    package var user = Quota()
    /// All users' private databases and the public database together.
    package var container = Quota()

    package init() {}

    package var isSet: Bool { user.isSet || container.isSet }
    package var boundsAssets: Bool { user.assetBytes > 0 || container.assetBytes > 0 }
}

package struct Quota: Hashable, Sendable {
    package var records = 0
    /// Bytes of stored records, without assets.
    package var bytes = 0
    /// Bytes of assets; an asset counts once per record.
    package var assetBytes = 0

    package init() {}

    /// The default limit per user: above any real collection, below the size of a disk.
    package static let standard: Quota = {
        var quota = Quota()
        (quota.records, quota.bytes, quota.assetBytes) = (10_000_000, 100 << 30, 1 << 40)
        return quota
    }()

    package var isSet: Bool { records > 0 || bytes > 0 || assetBytes > 0 }
}
