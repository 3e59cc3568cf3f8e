import CloudAccounts
import CloudPages
import CloudServer
import CloudWire
import CloudHTTP
import CloudModel
import CloudPostgres

/// All settings in listing order. Parsing, listings and the documentation derive from this table.
enum SettingsTable {
    static let all = settings + limits
    /// The environment variables of the settings, by name.
    static let variables = Dictionary(uniqueKeysWithValues: all.map { ($0.name, SettingsSource.variable($0.name)) })

    private static let settings: [Setting] = [
        Setting("data", "Folder that everything is kept in.", \.data),
        Setting(
            "database.url",
            "PostgreSQL database, postgres://user:password@host,host/database, that everything but assets is kept in instead.",
            \.database.address),
        Setting(
            "database.connections", "Connections to PostgreSQL at a time.", \.database.limits.connections, 8...10_000),
        Setting(
            "database.connectTime", "Seconds that each host of PostgreSQL has for a connection to come about.",
            \.database.limits.connectTime, 1...600),
        Setting(
            "database.answerTime", "Seconds without an answer in which a statement of PostgreSQL's is given up.",
            \.database.limits.answerTime, 1...3600),
        Setting("host", "Address to listen at.", \.server.host),
        Setting("port", "Port to listen at; 0 takes any free one.", \.server.port, 0...65535),
        Setting(
            "publicUrl", "Origin clients reach the server by, such as https://cloud.example.com.", \.server.publicURL),
        Setting(
            "public", "Folder to read pages and scripts from, to work on them, in place of those in the program.",
            optional: \.server.publicFolder),
        Setting(
            "pages.siteName", "Name of this server in link previews, mail and sign-in; its host without one.",
            name: \.server.siteName),
        Setting(
            "pages.language", "Language of pages for visitors who accept none that there is, and of mail by operators.",
            \.server.language),
        Setting(
            "pages.texts", "Folder of texts in place of those in the program, such as de.json; docs/translating.md.",
            optional: \.server.texts),
        Setting(
            "pages.apps",
            "Folder of pictures of apps, named by their containers, such as iCloud.com.example.trips.png; "
                + "docs/share-pages.md.", optional: \.server.apps),
        Setting(
            "pages.newsStreams", "Most visitors with an open share page to whom the server tells changes.",
            \.server.news.streams, 0...1_000_000),
        Setting(
            "pages.newsPerAddress", "Most such pages open at one client address.", \.server.news.perAddress,
            1...1_000_000),
        Setting(
            "pages.programs", "Programs that make previews of pictures at a time, each with up to 768 MiB.",
            \.server.programs, 1...32),
        Setting(
            "pages.posters",
            "Whether pages have pictures of videos, and mapped tones of HDR pictures, by ffmpeg where it is installed.",
            \.server.posters),
        Setting(
            "pages.transcode",
            "Whether ffmpeg makes films, where it is installed, of videos that a visitor's browser cannot play.",
            \.server.transcode),
        Setting(
            "trustForwardedFor", "Whether a proxy in front adds the client's address to X-Forwarded-For.",
            \.server.trustForwardedFor),
        Setting(
            "strictTransportAge",
            "Seconds browsers keep to TLS after an answer, when publicUrl is https; 0 not to ask them to.",
            \.server.strictTransportAge, 0...63_072_000),
        tlsAddress,
        Setting(
            "tls.certificate", "File of the certificate for tls.address, and of those it was issued with, as PEM.",
            optional: \.server.tls.certificate),
        Setting("tls.key", "File of that certificate's private key, as PEM.", optional: \.server.tls.key),
        Setting(
            "dev", "For tests: requests create containers, a fixed API token works, sign-in needs no password.",
            \.server.dev),
        Setting("devAllowRemote", "Let 'dev' listen beyond this machine.", \.server.devAllowsRemote),
        Setting(
            "console.enabled", "Whether operators may sign in to the console; with 'dev' it is open to this machine.",
            \.server.consoleIsEnabled),
        Setting("logLevel", "Least level logged.", oneOf: \.server.logLevel),
        Setting("log.format", "Form of log lines: text or json.", oneOf: \.logFormat),
        loggedRequests,
        Setting(
            "log.slow", "Milliseconds from which a request is a slow one.", milliseconds: \.server.requests.slow,
            1...3_600_000),
        Setting(
            "log.requestsPerMinute", "Log lines about requests in a minute; the next line says how many were left out.",
            \.server.requests.linesPerMinute, 1...1_000_000),
        metricsAddress,
        Setting(
            "metrics.allowRemote", "Let 'metrics.address' be reached from beyond this machine.", \.metricsAllowRemote),
        Setting("requests.recorded", "Whether requests are remembered at all.", \.server.requests.areRecorded),
        Setting(
            "requests.count", "Requests remembered, for 'cumulus why' and 'cumulus logs'.", \.server.requests.count,
            1...1_000_000),
        Setting(
            "requests.bytes", "Bytes of memory that they may take.", \.server.requests.bytes, (64 << 10)...(1 << 40)),
        Setting(
            "requests.fileDays", "Days that records of requests are kept in files; 0 keeps none.",
            \.server.requests.fileDays, 0...3660),
        Setting(
            "requests.fileBytes", "Bytes of all these files together.", \.server.requests.fileBytes,
            (1 << 20)...(1 << 50)),
        Setting(
            "session.lifetime", "Seconds a web session lives after its last use.",
            \.server.sessionLifetimes.ordinary, 1...tenYears),
        Setting(
            "session.persistentLifetime", "The same for a user who asked to stay signed in.",
            \.server.sessionLifetimes.persistent, 1...tenYears),
        Setting(
            "signIn.attemptsPerAccount",
            "Wrong passwords for one account, share page or known browser before it has to wait.",
            \.server.guessing.perAccount, 1...1_000_000),
        Setting(
            "signIn.attemptsPerAddress", "Wrong guesses of one kind from one address before it has to wait.",
            \.server.guessing.perAddress, 1...1_000_000),
        Setting(
            "signIn.window", "Seconds after which all of these attempts may be made again.",
            \.server.guessing.window, 1...86400),
        Setting(
            "signIn.passwords",
            "Whether people and operators sign in with passwords: on or off; off takes a provider or passkeys.",
            oneOf: \.server.passwords),
        Setting(
            "signIn.passkeys.relyingParty",
            "Domain that passkeys are for: the host of publicUrl, or a parent domain of it.",
            optional: \.server.passkeys.relyingParty),
        Setting(
            "signIn.passkeys.origins", "Further origins that passkeys are used from, with spaces between them.",
            optional: \.server.passkeys.origins),
        Setting(
            "signIn.passkeys.allowOthers",
            "Whether the server starts although there are passkeys for another domain, which cannot be used.",
            \.server.passkeys.allowsOthers),
        Setting(
            "registration.isOpen", "Whether people may create accounts themselves.",
            \.server.registration.isOpen),
        Setting(
            "registration.mailCommand",
            "Program that gets messages to people on its input, and the recipient in the place of {to} or as its last argument; "
                + "without one they stay in data/outbox.",
            secret: \.server.registration.mailCommand),
        Setting(
            "registration.mailFrom", "Sender of these messages; no-reply at the server's host without one.",
            optional: \.server.registration.mailFrom),
        Setting(
            "signature.window", "Seconds the date of a signed request may be off.", \.server.signatureWindow,
            1...86400),
        Setting("requestTime", "Seconds a request may take to arrive.", \.server.requestTime, 1...86400),
        Setting(
            "readingTime", "Seconds a client may take nothing of what it is sent.", \.server.readingTime, 1...86400),
        Setting(
            "readingSpeed",
            "Bytes a second that a client has to take of what it is sent, on average over 'readingTime'; 0 for no limit.",
            \.server.readingSpeed, 0...1_000_000),
        Setting(
            "connectionsPerAddress", "Connections of one address; not counted with 'trustForwardedFor'.",
            \.server.connectionsPerAddress, 1...1_000_000),
        Setting(
            "inFlight.requestsPerCaller", "Requests of one user, server key or address at once.",
            \.server.inFlight.requestsPerCaller, 1...1_000_000),
        Setting(
            "inFlight.requestBytes",
            "Bytes of request bodies at once; unless set, a tenth of the memory of the process at most. The first 64 KB of each may exceed it by a quarter.",
            \.server.inFlight.requestBytes,
            (64 << 10)...(1 << 40)),
        Setting(
            "inFlight.requestBytesPerCaller",
            "The same of one user, server key or address; unless set, half of it at most, or one of the largest bodies.",
            \.server.inFlight.requestBytesPerCaller, (64 << 10)...(1 << 40)),
        Setting(
            "inFlight.answerBytes",
            "Bytes of responses at once, until clients have taken them; unless set, a tenth of the memory of the process at most. The first 64 KB of each are counted apart, to the same number.",
            \.server.inFlight.answerBytes, (64 << 10)...(1 << 40)),
        Setting(
            "inFlight.answerBytesPerCaller",
            "The same of one user, server key or address; unless set, a quarter of it at most, or one of the largest.",
            \.server.inFlight.answerBytesPerCaller, (64 << 10)...(1 << 40)),
        Setting(
            "rate.token", "Requests a second of one API token or server key over time; 0 for no limit.",
            \.server.rates.token, 0...1_000_000),
        Setting(
            "rate.user", "The same of one user; 0 with 'dev' where it is not set.", \.server.rates.user,
            0...1_000_000
        ).unboundInDevelopment,
        Setting(
            "rate.address",
            "The same of one address, of requests that no user, key or link stands behind, pages not counted; 0 with 'dev' where it is not set.",
            \.server.rates.address, 0...1_000_000
        ).unboundInDevelopment,
        Setting(
            "rate.burst", "Seconds whose requests may come at once.", \.server.rates.burst, 1...3600),
        Setting(
            "rate.pause",
            "Seconds that whoever made too many requests is refused; 0 until the next one is due.",
            \.server.rates.pause, 0...86_400),
        Setting(
            "rate.refusedUploadBytes",
            "Bytes of uploads that come to nothing in 15 minutes, of one user or address; 0 for no limit, also with 'dev' where it is not set.",
            \.server.rates.refusedUploadBytes, 0...(1 << 50)
        ).unboundInDevelopment,
        Setting(
            "quota.user.records",
            "Records in one user's private database; 0 for no bound, as for all quotas, also with 'dev' where it is not set.",
            \.server.limits.quotas.user.records, 0...(1 << 50)
        ).unboundInDevelopment,
        Setting(
            "quota.user.bytes", "Bytes of these records and of the user's key-value store, assets not counted.",
            \.server.limits.quotas.user.bytes, 0...(1 << 50)
        ).unboundInDevelopment,
        Setting(
            "quota.user.assetBytes", "Bytes of the assets that these records hold, once for each record.",
            \.server.limits.quotas.user.assetBytes, 0...(1 << 50)
        ).unboundInDevelopment,
        Setting(
            "quota.container.records", "Records of everybody and of the public database in one environment.",
            \.server.limits.quotas.container.records, 0...(1 << 50)),
        Setting(
            "quota.container.bytes", "The same in bytes, with the key-value stores.",
            \.server.limits.quotas.container.bytes, 0...(1 << 50)),
        Setting(
            "quota.container.assetBytes", "Bytes of the assets that these records hold.",
            \.server.limits.quotas.container.assetBytes, 0...(1 << 50)),
        Setting(
            "emulator.profile", "Rates of a server with 'dev': none, or cloudkit for ones like the original's.",
            oneOf: \.server.rateProfile),
        Setting(
            "idleTime", "Seconds a connection may stay open with nothing asked.", \.server.idleTime, 1...86400),
        Setting(
            "connections", "Connections open at a time, as far as the system's limit on descriptors allows.",
            \.server.connections, 1...1_000_000),
        Setting(
            "openEnvironments", "Environments whose databases are open at a time, as far as descriptors allow.",
            \.server.openEnvironments, 1...100_000),
        Setting(
            "environmentIdleTime", "Seconds until the database of an environment that nobody uses is closed.",
            \.server.environmentIdleTime, 1...86400),
        Setting(
            "asset.uploadTime", "Seconds the bytes of an asset may take to arrive.", \.server.assetUploadTime,
            1...86400),
        Setting(
            "asset.linkLifetime", "Seconds a link to an asset is good.", \.server.assetLinkLifetime, 60...31_622_400),
        Setting(
            "assets.url", "Where assets are, s3://bucket/prefix or file:///folder; the data folder without one.",
            optional: \.assets.url),
        Setting(
            "assets.endpoint", "Origin of the S3 store, such as https://s3.example.com; AWS without one.",
            \.assets.bucket.endpoint),
        Setting("assets.region", "Region that requests to the S3 store are signed for.", \.assets.bucket.region),
        Setting(
            "assets.pathStyle", "Whether requests name the bucket in their path and not in the host.",
            \.assets.bucket.pathStyle),
        Setting(
            "assets.checksums",
            "Whether uploads to the S3 store carry x-amz-checksum-sha256; without it the signed hash alone is compared.",
            \.assets.bucket.checksums),
        Setting(
            "assets.credentialsFile",
            "File with the access key of the S3 store; AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY without one.",
            optional: \.assets.bucket.credentialsFile),
        Setting(
            "assets.redirect", "Whether downloads redirect to the S3 store instead of passing through the server.",
            \.assets.redirect),
        Setting(
            "backup.to", "Where backups go, a folder or s3://bucket/prefix; the server makes none without one.",
            optional: \.backup.to),
        Setting(
            "backup.every", "Seconds from one backup of the server's to the next.", \.backup.every, 60...31_622_400),
        Setting("backup.keep", "Backups that stay when the server has made another.", \.backup.keep, 1...10_000),
        Setting(
            "backup.endpoint",
            "Origin of the S3 store of the backups, such as https://s3.example.com; AWS without one.",
            \.backup.bucket.endpoint),
        Setting(
            "backup.region", "Region that requests to the store of the backups are signed for.",
            \.backup.bucket.region),
        Setting(
            "backup.pathStyle", "Whether these requests name the bucket in their path and not in the host.",
            \.backup.bucket.pathStyle),
        Setting(
            "backup.checksums", "Whether uploads of backups carry x-amz-checksum-sha256.", \.backup.bucket.checksums),
        Setting(
            "backup.credentialsFile",
            "File with the access key of that store; AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY without one.",
            optional: \.backup.bucket.credentialsFile),
        Setting(
            "asset.collectionInterval", "Seconds between two searches for assets that nothing refers to.",
            \.server.assetCollectionInterval, 1...31_622_400),
        Setting(
            "pushTokenLifetime", "Seconds a push token lives after its last use.", \.server.push.tokenLifetime,
            60...31_622_400),
        Setting(
            "courierHold", "Seconds a poll for a notification waits at most.", \.server.push.courierHold, 1...3600),
        Setting(
            "eventHeartbeat", "Seconds between two signs of life on a stream of notifications.",
            \.server.push.eventHeartbeat, 1...3600),
        Setting(
            "webhook.timeout", "Seconds a webhook has to answer a message.", \.server.webhooks.timeout, 1...600),
        Setting(
            "webhook.attempts", "Times a message is sent to a webhook before it is a dead letter.",
            \.server.webhooks.attempts, 1...1000),
        Setting(
            "webhook.firstDelay", "Seconds until the second attempt; the delay doubles from one to the next.",
            \.server.webhooks.firstDelay, 1...86400),
        Setting(
            "webhook.longestDelay", "Seconds that the delay grows to.", \.server.webhooks.longestDelay, 1...86400),
        Setting(
            "webhook.deadLetters", "Dead letters kept of one webhook; the oldest goes first.",
            \.server.webhooks.deadLetters, 1...1_000_000),
        Setting(
            "webhook.allowPrivateAddresses", "Whether webhooks may be on this machine and its network.",
            \.server.webhooks.allowPrivateAddresses),
    ]

    private static let tenYears = 10 * 366 * 86400
}
