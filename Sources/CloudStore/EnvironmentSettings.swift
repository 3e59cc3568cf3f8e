import CloudAssets
import CloudModel

/// The identity of an environment.
struct EnvironmentIdentity: Sendable {
    let path: String
    /// The container's name for notifications.
    let container: String
    let environment: ContainerEnvironment
    /// The prefix of this environment's short GUIDs.
    let routingKey: String
}

/// The stores of an environment beside its database.
struct EnvironmentFiles: Sendable {
    /// The store for asset contents.
    let assets: any AssetStore
    /// Nil for no previews.
    var previews: Previews?
    /// Receives new public records with a page; nil if names are not indexed.
    var publishedNames: PublishedNames?
}

/// The settings of an open environment.
struct EnvironmentSettings: Sendable {
    /// The number of read connections.
    var readers = 4
    /// The limits for schemas and notifications.
    var limits = Limits()
    /// The pace of background work.
    var pace = BuildPace()
    /// This process's memory of closed databases.
    var epochMemory = EpochMemory()
    /// Whether the database must already have a layout.
    var isMade = false
}

/// The receivers of an environment's events.
struct EnvironmentEvents: Sendable {
    /// Receives commits.
    var meter: (any StoreMeter)?
    /// Called with errors of background work, which is retried.
    var onTrouble: @Sendable (any Error) -> Void = { _ in }
    /// Called once per fault of the disk or the file.
    var onFault: @Sendable (StoreFault) -> Void = { _ in }
    /// Called after a commit with its queued messages.
    var onQueue: LogMessages = { _ in }
    /// Called after a commit with the push tokens that got a message.
    var onNotify: NotifyTokens = { _, _ in }
    /// Finds push tokens with a waiting poll, whose messages may share rows.
    var awaited: AwaitedTokens = { _ in [] }
}
