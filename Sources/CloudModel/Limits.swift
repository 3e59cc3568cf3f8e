/// The sizes the server holds requests to (reference A §10). Every one is a setting; every refusal names its number.
package struct Limits: Hashable, Sendable {
    /// Operations in one records/modify or zones/modify request.
    package var operationsPerRequest = 200
    /// Records named in one lookup, and the largest page of a query or a change feed.
    package var recordsPerResponse = 200
    /// Bytes of a request body.
    package var requestBytes = 16 << 20
    /// Bytes of the body of a request that no user and no server key stands behind.
    package var anonymousRequestBytes = 1 << 20
    /// JSON values in a request body: arrays, objects and their elements. Each value takes up to 100 bytes of memory.
    package var requestValues = 1_000_000
    /// Bytes of records in one answer. The answer ends with the record that reaches this size.
    package var responseBytes = 8 << 20
    /// The time one read of the database may take.
    package var readTime = Duration.seconds(10)
    /// Steps of SQLite's machine in one read, which are 5 to 20 for each row that it looks at.
    package var readSteps = 500_000_000
    /// Bytes of one record's fields as stored, assets not counted.
    package var recordBytes = 1 << 20
    /// Characters of a record name.
    package var recordNameCharacters = 255
    /// Characters of a zone name.
    package var zoneNameCharacters = 255
    /// Fields in one record type.
    package var fieldsPerRecordType = 256
    /// Record types in one environment of a container.
    package var recordTypes = 1000
    /// Custom roles in one environment of a container.
    package var roles = 100
    /// Bytes of a schema's text.
    package var schemaBytes = 32 << 20
    /// Custom zones of one user.
    package var zonesPerUser = 1000
    /// DELETE_SELF references to one record.
    package var deleteSelfReferences = 750
    /// Filters in one query.
    package var filtersPerQuery = 100
    /// Sort descriptors in one query.
    package var sortsPerQuery = 16
    /// Operands of one IN, NOT_IN or list comparator; words of one search.
    package var operandsPerFilter = 1000
    /// Operands of all filters of one query together.
    package var operandsPerQuery = 2000
    /// Zones in one changes/zone or zones/lookup request.
    package var zonesPerRequest = 200
    /// Users in one users/discover or users/lookup request.
    package var usersPerRequest = 200
    /// Bytes of a database's log past which the server is not well.
    package var logBytes = 1 << 30
    /// Bytes left on the data folder's disk below which the server is not well.
    package var freeBytes = 64 << 20
    /// Files in one zip of a share page.
    package var filesPerDownload = 5000

    /// Bytes of one asset (reference B §8.6).
    package var assetBytes = 50 << 20
    /// Bytes of one user's uploads in one environment of a container that no record holds; each counts as 4 KB at least.
    package var unclaimedUploadBytes = 1 << 30
    /// The same limit per client address, summed over its users; per /48 for IPv6.
    package var unclaimedUploadBytesPerAddress = 16 << 30
    /// Assets in one assets/upload or assets/rereference request.
    package var assetsPerRequest = 200
    /// Pixels of a picture that previews are made of.
    package var previewPixels = 100_000_000
    /// Previews of one account's pictures that wait to be made.
    package var previewsPerAccount = 100
    /// People in one share, its owner among them.
    package var participantsPerShare = 100
    /// Subscriptions of one user in one database.
    package var subscriptionsPerUser = 1000
    /// Query subscriptions of one user in one database that the same changes look at: of one record type, and with the
    /// same first EQUALS filter or none.
    package var similarSubscriptionsPerUser = 100
    /// Words that a subscription's query searches for.
    package var wordsPerSubscription = 64
    /// Characters of a subscription's id.
    package var subscriptionNameCharacters = 255
    /// Bytes of one subscription, its query and notification texts included.
    package var subscriptionBytes = 16 << 10
    /// Notifications that wait for one push token in one environment of a container.
    package var notificationsPerToken = 500
    /// Notifications that wait for one webhook; one that is pushed out becomes a dead letter.
    package var notificationsPerWebhook = 100_000
    /// Notifications to one user that each request may bring; what comparing with the user's subscriptions costs counts
    /// as well.
    package var notificationsPerRequest = 5
    /// Notifications to one user beyond these within the time of a pause, before the user's subscriptions pause.
    package var notificationBurst = 1000
    /// The time that a user's subscriptions pause.
    package var notificationPause = Duration.seconds(10)
    /// Push tokens of one user in one environment of a container; the one that expires first gives way.
    package var pushTokensPerUser = 20

    /// Bytes of all values together in one user's key-value store.
    package var keyValueStoreBytes = 1 << 20
    /// Keys in one user's key-value store.
    package var keyValueKeys = 1024
    /// Bytes of one value in a key-value store.
    package var keyValueValueBytes = 1 << 20
    /// UTF-8 bytes of a key in a key-value store.
    package var keyValueKeyBytes = 64

    package var quotas = Quotas()

    package init() {}
}
