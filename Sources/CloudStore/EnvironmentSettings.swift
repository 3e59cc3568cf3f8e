package import CloudAccounts
package import CloudAssets
package import CloudEngine
package import CloudModel

/// The identity of an environment.
package struct EnvironmentIdentity: Sendable {
    let path: String
    /// The container's name for notifications.
    let container: String
    let environment: ContainerEnvironment
    /// The prefix of this environment's short GUIDs.
    let routingKey: String

    package init(path: String, container: String, environment: ContainerEnvironment, routingKey: String) {
        self.path = path
        self.container = container
        self.environment = environment
        self.routingKey = routingKey
    }
}

/// The stores of an environment beside its database.
package struct EnvironmentFiles: Sendable {
    /// The store for asset contents.
    let assets: any AssetStore
    /// Nil for no previews.
    var previews: Previews?
    /// Receives new public records with a page; nil if names are not indexed.
    var publishedNames: PublishedNames?

    package init(assets: any AssetStore, previews: Previews? = nil, publishedNames: PublishedNames? = nil) {
        self.assets = assets
        self.previews = previews
        self.publishedNames = publishedNames
    }
}

/// The settings of an open environment.
package struct EnvironmentSettings: Sendable {
    /// The number of read connections.
    var readers = 4
    /// The limits for schemas and notifications.
    var limits = Limits()
    /// The pace of background work.
    var pace = BuildPace()
    /// This process's memory of closed databases.
    var epochMemory = EpochMemory()
    /// The turns in which this process reads facts of files.
    var factsTurns = FactsTurns()
    /// Whether the database must already have a layout.
    var isMade = false

    package init(
        readers: Int = 4, limits: Limits = Limits(), pace: BuildPace = BuildPace(),
        epochMemory: EpochMemory = EpochMemory(), factsTurns: FactsTurns = FactsTurns(), isMade: Bool = false
    ) {
        self.readers = readers
        self.limits = limits
        self.pace = pace
        self.epochMemory = epochMemory
        self.factsTurns = factsTurns
        self.isMade = isMade
    }
}

/// The receivers of an environment's events.
package struct EnvironmentEvents: Sendable {
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
    /// Called after a commit with what pages may show of it.
    var onPages: @Sendable ([PageChange]) -> Void = { _ in }

    package init(
        meter: (any StoreMeter)? = nil, onTrouble: @escaping @Sendable (any Error) -> Void = { _ in },
        onFault: @escaping @Sendable (StoreFault) -> Void = { _ in }, onQueue: @escaping LogMessages = { _ in },
        onNotify: @escaping NotifyTokens = { _, _ in }, awaited: @escaping AwaitedTokens = { _ in [] },
        onPages: @escaping @Sendable ([PageChange]) -> Void = { _ in }
    ) {
        self.meter = meter
        self.onTrouble = onTrouble
        self.onFault = onFault
        self.onQueue = onQueue
        self.onNotify = onNotify
        self.awaited = awaited
        self.onPages = onPages
    }
}
