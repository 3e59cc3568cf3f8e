/// The names and help texts of all metrics. docs/metrics.md lists the same metrics.
package enum MetricCatalog {
    package static let requests = "cumulus_requests_total"
    package static let requestSeconds = "cumulus_request_seconds"
    package static let refusals = "cumulus_refusals_total"
    package static let signInFailures = "cumulus_sign_in_failures_total"
    package static let writerQueue = "cumulus_writer_queue"
    package static let groupSize = "cumulus_writer_group_size"
    package static let commitSeconds = "cumulus_commit_seconds"
    package static let logBytes = "cumulus_log_bytes"
    package static let openDatabases = "cumulus_open_databases"
    package static let indexBuilds = "cumulus_index_builds"
    package static let waitingPolls = "cumulus_waiting_polls"
    package static let pushesQueued = "cumulus_pushes_queued_total"
    package static let pushesDelivered = "cumulus_pushes_delivered_total"
    package static let pushLag = "cumulus_push_lag_seconds"
    package static let deadLetters = "cumulus_dead_letters_total"
    package static let freeBytes = "cumulus_disk_free_bytes"
    package static let backupAge = "cumulus_backup_age_seconds"
    package static let descriptors = "cumulus_open_descriptors"
    package static let mostDescriptors = "cumulus_max_descriptors"
    package static let remembered = "cumulus_requests_remembered"
    package static let build = "cumulus_build_info"

    package static let help = [
        requests: "Requests answered, by route and by code: OK, or the error's.",
        requestSeconds: "Seconds from a request's head to its answer, by route.",
        refusals: "Requests and operations refused, by the kind of decision.",
        signInFailures: "Credentials that were given and are wrong, by what they were, and lock-outs.",
        writerQueue: "Writes that wait for the writers of open databases.",
        groupSize: "Requests that were committed together.",
        commitSeconds: "Seconds of one group, from its beginning to its commit.",
        logBytes: "Bytes of the logs of open databases and of the accounts' file together.",
        openDatabases: "Databases of environments that are open.",
        indexBuilds: "Environments whose schema change or index build goes on.",
        waitingPolls: "Push tokens that somebody listens to.",
        pushesQueued: "Messages queued for devices.",
        pushesDelivered: "Messages delivered, by way: poll, stream or webhook.",
        pushLag: "Seconds from a message being queued to its delivery, by way.",
        deadLetters: "Messages to webhooks that became dead letters.",
        freeBytes: "Bytes left on the data folder's disk.",
        backupAge: "Seconds since the last backup was begun, once there is one.",
        descriptors: "Files and connections that are open.",
        mostDescriptors: "Files and connections that may be open.",
        remembered: "Requests that 'cumulus logs' can show.",
        build: "1, with the version of the program.",
    ]
}
