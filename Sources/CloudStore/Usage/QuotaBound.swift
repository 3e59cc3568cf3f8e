import CloudModel

/// An owner's quota, or the quota of all owners together.
struct QuotaBound {
    enum Kind { case records, bytes, assetBytes }

    private let quota: Quota
    private let isOfUser: Bool

    /// - Parameter owner: nil for all owners together.
    /// - Returns: nil without a quota, and for the public database, which only the quota of all owners limits.
    init?(_ quotas: Quotas, owner: String?) {
        isOfUser = owner != nil
        quota = isOfUser ? quotas.user : quotas.container
        guard quota.isSet, owner != ZoneID.publicOwner else { return nil }
    }

    /// - Parameter value: the usage after the change.
    /// - Throws: `QUOTA_EXCEEDED` if `value` is more than the quota.
    func check(_ value: Int64, _ kind: Kind) throws(ServerError) {
        let most = most(kind)
        guard most > 0, value > most else { return }
        throw refusal(value, "would have", most, kind)
    }

    /// - Parameter value: the current usage.
    /// - Throws: `QUOTA_EXCEEDED` if the quota is used up.
    func checkRoom(_ value: Int64, _ kind: Kind) throws(ServerError) {
        let most = most(kind)
        guard most > 0, value >= most else { return }
        throw refusal(value, "has", most, kind)
    }

    private func most(_ kind: Kind) -> Int64 {
        switch kind {
        case .records: Int64(quota.records)
        case .bytes: Int64(quota.bytes)
        case .assetBytes: Int64(quota.assetBytes)
        }
    }

    private func refusal(_ value: Int64, _ verb: StaticString, _ most: Int64, _ kind: Kind) -> ServerError {
        let (noun, setting): (StaticString, StaticString) =
            switch (kind, isOfUser) {
            case (.records, true): ("records", "quota.user.records")
            case (.records, false): ("records", "quota.container.records")
            case (.bytes, true): ("bytes", "quota.user.bytes")
            case (.bytes, false): ("bytes", "quota.container.bytes")
            case (.assetBytes, true): ("bytes of assets", "quota.user.assetBytes")
            case (.assetBytes, false): ("bytes of assets", "quota.container.assetBytes")
            }
        let who: StaticString = isOfUser ? "the database's owner" : "this environment of the container"
        return ServerError(
            .quotaExceeded,
            "\(known: "\(who) \(verb)") \(value) \(known: "\(noun)"), at most \(most) are allowed (\(known: "\(setting)"))",
            .limit(most, setting))
    }
}
