package import CloudModel
import CloudSQL

/// Runs one subscriptions/modify request (reference B §6.5). Operations succeed or fail independently, in order.
package struct ModifySubscriptions {
    let request: SubscriptionsRequest
    let transaction: WriteTransaction
    private var db: SQLConnection { transaction.db }

    package init(request: SubscriptionsRequest, transaction: WriteTransaction) {
        self.request = request
        self.transaction = transaction
    }

    func run() throws -> [SubscriptionOutcome] {
        try request.operations.map { operation in
            switch operation {
            case .failure(let refused): .failed(name: refused.name, refused.error)
            case .success(.delete(let name)): try delete(name)
            case .success(.create(let subscription)): try save(subscription, mayBeNew: true)
            case .success(.update(let subscription)): try save(subscription, mayBeNew: false)
            }
        }
    }

    /// Reports an unknown subscription as deleted too: clients clean up after others.
    private func delete(_ name: String) throws -> SubscriptionOutcome {
        let body = try SubscriptionTable.body(name, user: request.user, scope: request.scope, db)
        try SubscriptionTable.delete(name, user: request.user, scope: request.scope, transaction)
        return .deleted(name: name, type: body.flatMap(Subscription.type(of:)))
    }

    private func save(_ subscription: Subscription, mayBeNew: Bool) throws -> SubscriptionOutcome {
        do {
            let row = try row(subscription)
            let known = try SubscriptionTable.body(row.name, user: row.user, scope: row.scope, db)
            if known == row.body { return .saved(row.body) }
            try allow(row, isNew: known == nil, mayBeNew: mayBeNew)
            if request.refusesDuplicates, row.kind == .query, try SubscriptionTable.hasTwin(of: row, db) {
                throw ServerError(.internalError, "could not find subscription we just created", .server(.fault))
            }
            if known != nil { try SubscriptionTable.delete(row.name, user: row.user, scope: row.scope, transaction) }
            try SubscriptionTable.insert(row, transaction)
            return .saved(row.body)
        } catch let error as ServerError {
            return .failed(name: subscription.name, error)
        }
    }

    private func allow(_ row: SubscriptionRow, isNew: Bool, mayBeNew: Bool) throws {
        if isNew && !mayBeNew { throw ServerError(.notFound, "subscription not found", .missing(.subscription)) }
        let count = try SubscriptionTable.count(user: row.user, scope: row.scope, db)
        guard !isNew || count < request.limits.subscriptions.perUser else {
            throw ServerError.badRequest(
                "there are \(count) subscriptions, at most \(request.limits.subscriptions.perUser) are allowed",
                .limit(request.limits.subscriptions.perUser, "limit.subscriptionsPerUser"))
        }
        let most = request.limits.subscriptions.similarPerUser
        guard row.kind == .query, count >= most else { return }
        let similar = try SubscriptionTable.count(besides: row, db)
        guard similar < most else {
            throw ServerError.badRequest(
                "there are \(similar) subscriptions to this record type "
                    + (row.bucket == .none ? "without an EQUALS filter" : "with the same first EQUALS filter")
                    + ", at most \(most) are allowed", .limit(most, "limit.similarSubscriptionsPerUser"))
        }
    }

    /// - Parameter takesStale: true to accept a query over fields that its type no longer has. Such a query matches no
    ///   record, like that of a stored subscription after its field's removal.
    /// - Throws: the reason why the query or its zone is refused.
    package func row(_ subscription: Subscription, takesStale: Bool = false) throws -> SubscriptionRow {
        if !takesStale, subscription.query?.recordType == RecordType.users { throw RecordType.notForQueries }
        let type = subscription.query.flatMap { transaction.catalog.types[$0.recordType] }
        let resolved: ResolvedQuery?
        do {
            resolved = try subscription.query.map { try resolve($0, zone: relativeZone(subscription)) }
        } catch is ServerError where takesStale && type != nil { resolved = nil }
        return SubscriptionRow(
            user: request.user, scope: request.scope, name: subscription.name, kind: subscription.kind,
            zone: try subscription.zone.map { try transaction.zones.open($0).id } ?? 0,
            recordType: type?.id ?? 0, firesOn: subscription.firesOn, firesOnce: subscription.firesOnce,
            bucket: try resolved.map { try bucket($0, zoneWide: subscription.zone == nil) } ?? .none,
            query: subscription.queryJSON.map(Self.bytes), info: subscription.info.map(Self.bytes),
            body: subscription.body)
    }

    /// Picks the subscription's bucket. Every bucket field costs each change of the type one more lookup, so a user has few.
    private func bucket(_ query: ResolvedQuery, zoneWide: Bool) throws -> SubscriptionBucket {
        let bucket = SubscriptionBucket(query, zoneWide: zoneWide)
        let most = SubscriptionBucket.mostFieldsPerUser
        guard bucket != .none, (transaction.subscribers.watched.fields(ofType: query.type.id)?.count ?? 0) >= most
        else { return bucket }
        let fields = try SubscriptionTable.bucketFields(
            user: request.user, scope: request.scope, type: query.type.id, db)
        return fields.count >= most && !fields.contains(bucket.field) ? .none : bucket
    }

    private func resolve(_ query: Query, zone: ZoneID) throws(ServerError) -> ResolvedQuery {
        let limits = request.limits
        let resolved = try ResolvedQuery(
            query, catalog: transaction.catalog, strict: request.strict, zone: zone, limits: limits)
        let words = resolved.searches.reduce(0) { $0 + $1.words.count }
        guard words <= limits.subscriptions.words else {
            throw ServerError.badRequest(
                "query searches for \(words) words, a subscription's for \(limits.subscriptions.words) at most",
                .limit(limits.subscriptions.words, "limit.wordsPerSubscription"))
        }
        return resolved
    }

    /// The zone that references in the query's operands default to.
    private func relativeZone(_ subscription: Subscription) -> ZoneID {
        subscription.zone
            ?? ZoneID(
                name: ZoneID.defaultName, owner: request.scope == .public ? ZoneID.publicOwner : request.user)
    }

    private static func bytes(_ json: JSONValue) -> [UInt8] {
        var writer = JSONWriter(capacity: 256)
        writer.value(json)
        return writer.bytes
    }
}
