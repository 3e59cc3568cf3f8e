import CloudModel

/// The quota of one owner, or of everybody together.
struct QuotaBound {
    enum Kind { case records, bytes, assetBytes }

    private let quota: Quota
    private let isOfUser: Bool

    /// - Parameter owner: nil for everybody together.
    /// - Returns: nil where nothing bounds them, as the public database by itself.
    init?(_ quotas: Quotas, owner: String?) {
        isOfUser = owner != nil
        quota = isOfUser ? quotas.user : quotas.container
        guard quota.isSet, owner != ZoneID.publicOwner else { return nil }
    }

    /// - Parameter value: that there would be.
    /// - Throws: `QUOTA_EXCEEDED` when it is more than may be.
    func check(_ value: Int64, _ kind: Kind) throws(ServerError) {
        let most = most(kind)
        guard most > 0, value > most else { return }
        throw refusal(value, "would have", most, kind)
    }

    /// - Parameter value: that there is.
    /// - Throws: `QUOTA_EXCEEDED` when there is no room for anything more.
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
