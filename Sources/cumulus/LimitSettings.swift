import CloudHTTP
import CloudModel
import CloudServer

extension SettingsTable {
    /// The settings `limit.*`, in listing order.
    static let limits: [Setting] = [
        limit("operationsPerRequest", "Operations in one records/modify or zones/modify.", \.operationsPerRequest),
        limit("recordsPerResponse", "Records in one lookup or one page of a response.", \.recordsPerResponse),
        limit("requestBytes", "Bytes of a request body.", \.requestBytes, 1024...(1 << 30)),
        limit(
            "anonymousRequestBytes", "Bytes of a request body without a user or a server key.",
            \.anonymousRequestBytes, 1024...(1 << 30)),
        limit("requestValues", "JSON values in a request body.", \.requestValues, 1000...100_000_000),
        limit(
            "responseBytes", "Bytes of records in one response; the record that reaches it is the last.",
            \.responseBytes, 1024...(1 << 30)),
        Setting(
            "limit.readTime", "Seconds one read of the database may take.", \.server.limits.readTime, 1...3600),
        limit(
            "readSteps", "Steps of SQLite in one read, of which each row takes 5 to 20.", \.readSteps,
            10_000...1_000_000_000_000),
        limit("recordBytes", "Bytes of one record, assets not counted.", \.recordBytes, 1024...(1 << 30)),
        limit("recordNameCharacters", "Characters of a record name.", \.recordNameCharacters),
        limit("zoneNameCharacters", "Characters of a zone name.", \.zoneNameCharacters),
        limit("fieldsPerRecordType", "Fields in one record type.", \.fieldsPerRecordType),
        limit("recordTypes", "Record types in one environment of a container.", \.recordTypes),
        limit("roles", "Custom roles in one environment of a container.", \.roles),
        limit("schemaBytes", "Bytes of a schema's text.", \.schemaBytes, 1024...(64 << 20)),
        limit("zonesPerUser", "Custom zones of one user.", \.zonesPerUser),
        limit("deleteSelfReferences", "DELETE_SELF references to one record.", \.deleteSelfReferences),
        limit("filtersPerQuery", "Filters in one query.", \.filtersPerQuery),
        limit("sortsPerQuery", "Sort descriptors in one query.", \.sortsPerQuery),
        limit(
            "operandsPerFilter", "Operands of one IN, NOT_IN or list comparator, and words of one search.",
            \.operandsPerFilter),
        limit("operandsPerQuery", "Operands of all filters of one query together.", \.operandsPerQuery),
        limit("zonesPerRequest", "Zones in one changes/zone or zones/lookup.", \.zonesPerRequest),
        limit("usersPerRequest", "Users in one users/discover or users/lookup.", \.usersPerRequest),
        limit("assetBytes", "Bytes of one asset.", \.assets.bytes, 1024...(1 << 40)),
        limit(
            "unclaimedUploadBytes", "Bytes of one user's uploads that no record holds.", \.assets.unclaimedBytes,
            1024...(1 << 40)),
        limit(
            "unclaimedUploadBytesPerAddress", "The same from one address, whoever's uploads they are.",
            \.assets.unclaimedBytesPerAddress, 1024...(1 << 50)),
        limit("assetsPerRequest", "Assets in one assets/upload or assets/rereference.", \.assets.perRequest),
        limit(
            "previewPixels",
            "Pixels of a picture that previews are made of; half as many more of a progressive JPEG, five times as many of "
                + "others.", \.assets.previewPixels, 1...1_000_000_000),
        limit(
            "previewsPerAccount", "Previews of one account's pictures that wait to be made.",
            \.assets.previewsPerAccount),
        limit(
            "previewBytes",
            "Bytes of previews, posters and films kept for one environment; those not used for longest go.",
            \.assets.previewBytes, (4 << 30)...(1 << 50)),
        limit(
            "filmsPerAccount",
            "Videos of one account of which films for browsers that cannot play them wait or are made.",
            \.assets.filmsPerAccount),
        limit("participantsPerShare", "People in one share, its owner among them.", \.participantsPerShare),
        limit("subscriptionsPerUser", "Subscriptions of one user in one database.", \.subscriptions.perUser),
        limit(
            "similarSubscriptionsPerUser",
            "Subscriptions of one user to one record type with the same first EQUALS filter, or with none.",
            \.subscriptions.similarPerUser),
        limit("wordsPerSubscription", "Words that a subscription's query searches for.", \.subscriptions.words),
        limit("subscriptionNameCharacters", "Characters of a subscription's id.", \.subscriptions.nameCharacters),
        limit("subscriptionBytes", "Bytes of one subscription.", \.subscriptions.bytes, 1024...(1 << 20)),
        limit(
            "notificationsPerToken", "Notifications that wait for one push token; the oldest goes first.",
            \.notifications.perToken),
        limit(
            "notificationsPerWebhook",
            "Notifications that wait for one webhook; the oldest become dead letters.", \.notifications.perWebhook),
        limit(
            "notificationsPerRequest",
            "Notifications to one user that each request may bring; comparing a query counts as a fifth of one.",
            \.notifications.perRequest),
        limit(
            "notificationBurst",
            "Notifications to one user beyond these within the time of a pause, before the user's subscriptions pause.",
            \.notifications.burst),
        Setting(
            "limit.notificationPause",
            "Seconds that a user's subscriptions pause; then devices are told once that notifications were pruned.",
            \.server.limits.notifications.pause, 1...86400),
        limit(
            "pushTokensPerUser", "Push tokens of one user in one environment; the one that expires first gives way.",
            \.notifications.tokensPerUser, 1...10_000),
        limit(
            "logBytes", "Bytes of a database's log past which /health is not well.", \.logBytes,
            (1 << 20)...(1 << 40)),
        limit(
            "freeBytes", "Bytes left on the data folder's disk below which /health is not well.", \.freeBytes,
            0...(1 << 40)),
        limit("filesPerDownload", "Files in one zip of a share page.", \.assets.perDownload),
        limit(
            "keyValueStoreBytes", "Bytes of all values in one user's key-value store.", \.keyValues.storeBytes,
            1...(64 << 20)),
        limit("keyValueKeys", "Keys in one user's key-value store.", \.keyValues.keys, 1...100_000),
        limit(
            "keyValueValueBytes", "Bytes of one value in a key-value store.", \.keyValues.valueBytes, 1...(64 << 20)),
        limit("keyValueKeyBytes", "UTF-8 bytes of a key in a key-value store.", \.keyValues.keyBytes, 1...1024),
    ]
}
