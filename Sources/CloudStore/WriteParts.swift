import CloudAccounts
import CloudModel
import CloudSQL

/// The sources of an environment's write state.
struct WriteSources {
    /// Receives the schema of each commit.
    let published: PublishedCatalog
    /// Receives new public records with a page; nil if names are not indexed.
    var names: PublishedNames?
    var roleMemory = RoleMemory()
    /// The container's name for notifications.
    let container: String
    /// The point where this process last stopped writing; nil if it never wrote.
    var left: EpochMemory.Left?
    var pace = BuildPace()
    var events = EnvironmentEvents()
    let now: Now
    /// Called after a commit that left background schema work.
    var onWork: @Sendable () -> Void = {}
    /// Called after a commit that paused a user's subscriptions.
    var onPause: @Sendable () -> Void = {}
    /// Called after a commit in which records came to hold assets.
    var onAssets: @Sendable () -> Void = {}
}

extension WriteTransaction {
    /// Makes a transaction with every feature's write state for an environment.
    convenience init(db: SQLConnection, _ sources: WriteSources) throws {
        let ids = RowIDs()
        let subscribers = try SubscriberPart(container: sources.container, onPause: sources.onPause, db)
        let events = sources.events
        self.init(
            db,
            parts: [
                try SchemaPart(sources.published, pace: sources.pace, onWork: sources.onWork, db),
                RolePart(sources.roleMemory), WordPart(), ids, PrefetchedRecords(),
                try Positions(left: sources.left, ids: ids, now: sources.now, db), ZonePart(), SharePart(), UsagePart(),
                subscribers, MessagePart(events.onQueue, events.onNotify, events.awaited),
                PublishedNamePart(sources.names), PageNewsPart(events.onPages), FactsPart(sources.onAssets),
            ], listener: subscribers)
    }
}
