/// Limits on the sizes of requests (reference A §10). A setting exists for each; refusals state the limit's number.
package struct Limits: Hashable, Sendable {
    /// Operations in one records/modify or zones/modify request.
    package var operationsPerRequest = 200
    /// Records in one lookup; also the largest page of a query or change feed.
    package var recordsPerResponse = 200
    /// Bytes of a request body.
    package var requestBytes = 16 << 20
    /// Bytes of a request body without an authenticated user or server key.
    package var anonymousRequestBytes = 1 << 20
    /// JSON values in a request body: arrays, objects and their elements. Each value takes up to 100 bytes of memory.
    package var requestValues = 1_000_000
    /// Bytes of records in one answer. The answer ends with the record that reaches this size.
    package var responseBytes = 8 << 20
    /// The time limit for a single database read.
    package var readTime = Duration.seconds(10)
    /// Steps of SQLite's virtual machine in a single read; each examined row takes 5 to 20.
    package var readSteps = 500_000_000
    /// Bytes of one record's stored fields, without assets.
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
    /// Operands per list comparator, such as IN; words per search.
    package var operandsPerFilter = 1000
    /// Operands of all filters in one query, summed.
    package var operandsPerQuery = 2000
    /// Zones in one changes/zone or zones/lookup request.
    package var zonesPerRequest = 200
    /// Users in one users/discover or users/lookup request.
    package var usersPerRequest = 200
    /// Bytes of a database's log above which the server reports itself unhealthy.
    package var logBytes = 1 << 30
    /// Free bytes on the data folder's disk below which the server reports itself unhealthy.
    package var freeBytes = 64 << 20

    /// People in one share, its owner among them.
    package var participantsPerShare = 100

    package var assets = Assets()
    package var subscriptions = Subscriptions()
    package var notifications = Notifications()
    package var keyValues = KeyValues()
    package var quotas = Quotas()

    package init() {}

    /// Limits on assets, their uploads and previews.
    package struct Assets: Hashable, Sendable {
        /// Files in one zip of a share page.
        package var perDownload = 5000
        /// Bytes of one asset (reference B §8.6).
        package var bytes = 50 << 20
        /// Bytes of one user's uploads without a record, per environment of a container; each upload counts as 4 KB at least.
        package var unclaimedBytes = 1 << 30
        /// The same limit per client address, summed over its users; per /48 for IPv6.
        package var unclaimedBytesPerAddress = 16 << 30
        /// Assets in one assets/upload or assets/rereference request.
        package var perRequest = 200
        /// Pixels of the largest picture to make previews of.
        package var previewPixels = 100_000_000
        /// Queued previews for one account's pictures.
        package var previewsPerAccount = 100
        /// Bytes of previews, posters and films of one environment.
        package var previewBytes = 50 << 30
        /// Unfinished films of one account's videos.
        package var filmsPerAccount = 20
    }

    /// Limits on subscriptions.
    package struct Subscriptions: Hashable, Sendable {
        /// Subscriptions of one user in one database.
        package var perUser = 1000
        /// Query subscriptions of one user in one database that the same changes are compared with: subscriptions of the same
        /// record type, with the same first EQUALS filter or none.
        package var similarPerUser = 100
        /// Search words in a subscription's query.
        package var words = 64
        /// Characters of a subscription's id.
        package var nameCharacters = 255
        /// Bytes of one subscription, its query and notification texts included.
        package var bytes = 16 << 10
    }

    /// Limits on notifications and their receivers.
    package struct Notifications: Hashable, Sendable {
        /// Queued notifications for one push token in one environment of a container.
        package var perToken = 500
        /// Queued notifications for one webhook; a notification displaced by newer messages becomes a dead letter.
        package var perWebhook = 100_000
        /// Notifications to one user earned by each request; comparisons with the user's subscriptions also count.
        package var perRequest = 5
        /// Notifications to one user above that allowance, within a pause's length, before the user's subscriptions pause.
        package var burst = 1000
        /// The length of a pause of a user's subscriptions.
        package var pause = Duration.seconds(10)
        /// Push tokens of one user in one environment of a container; a new token replaces the first to expire.
        package var tokensPerUser = 20
    }

    /// Limits on users' key-value stores.
    package struct KeyValues: Hashable, Sendable {
        /// Bytes of all values in one user's key-value store.
        package var storeBytes = 1 << 20
        /// Keys in one user's key-value store.
        package var keys = 1024
        /// Bytes of one value in a key-value store.
        package var valueBytes = 1 << 20
        /// UTF-8 bytes of a key in a key-value store.
        package var keyBytes = 64
    }
}
