import CloudAccounts
package import CloudModel

/// Operations on backups of the server's whole data.
package enum BackupOperations {
    package static let list = AdminOperation<NoInput, BackupsInfo>(
        .get("backups", .operations), OperationText("listBackups", "The backups of all data, and the job on them.")
    ) { call, _ in
        try await call.backups().info()
    }

    /// Starts a backup without waiting for its end, which ``list`` reports.
    package static let create = AdminOperation<NoInput, BackupWorkInfo>(
        .post("backups", .operations), OperationText("createBackup", "Start a backup; the list reports its end."),
        audit: .change("began a backup")
    ) { call, _ in try call.backups().start(.create) }

    package static let verify = AdminOperation<BackupChoice, BackupWorkInfo>(
        .post("backups/{name}/verify", .operations),
        OperationText("verifyBackup", "Start a verification: read a whole backup and compare checksums."),
        audit: .change("began to verify a backup")
    ) { call, input in try call.backups().start(.verify(input.name)) }
}

package struct BackupChoice: OperationInput {
    package let name: String

    package static let fields = InputFields(
        Self.init, .text("name", \.name, "The name of a backup.", atMost: 200))
}

/// The server's backups and the background jobs on them; a single job runs at a time.
package protocol BackupKeeping: Sendable {
    func info() async throws -> BackupsInfo

    /// - Throws: `CONFLICT` while another job runs.
    func start(_ work: BackupWork) throws -> BackupWorkInfo
}

package enum BackupWork: Hashable, Sendable {
    case create
    case verify(String)

    package var name: String? { if case .verify(let name) = self { name } else { nil } }
}

package struct BackupsInfo: Codable, Hashable, OperationAnswer, DocumentedValue {
    package static let about = AnswerText(
        "AdminBackups", "The backups of a server.",
        [
            "place": "The folder or bucket of the backups.",
            "every": "Seconds between backups.",
            "keep": "The number of backups kept.",
            "backups": "The newest first, at most 1,000.",
            "work": "The last job requested by an operator since the server's start.",
        ])

    /// The folder or bucket of the backups.
    package let place: String
    /// Seconds between backups.
    package let every: Int64
    /// The number of backups kept.
    package let keep: Int
    /// The newest first, at most 1,000.
    package let backups: [BackupInfo]
    /// The last job requested by an operator; nil if there was none since the server's start.
    package let work: BackupWorkInfo?

    package init(place: String, every: Int64, keep: Int, backups: [BackupInfo], work: BackupWorkInfo?) {
        self.place = place
        self.every = every
        self.keep = keep
        self.backups = backups
        self.work = work
    }
}

package struct BackupInfo: Codable, Hashable, DocumentedValue {
    package static let about = AnswerText(
        "AdminBackup", "A backup; an unreadable backup has only a name and a fault.",
        [
            "bytes": "Bytes that a restoration would bring back.",
            "newBytes": "Bytes not shared with another backup.",
        ])

    package let name: String
    /// The reason why the backup is unreadable.
    package let fault: String?
    package let began: Timestamp?
    package let ended: Timestamp?
    package let environments: Int?
    package let records: Int64?
    package let assets: Int64?
    /// Bytes that a restoration would bring back.
    package let bytes: Int64?
    /// Bytes not shared with another backup.
    package let newBytes: Int64?

    package init(name: String, fault: String) {
        self.name = name
        self.fault = fault
        (began, ended, environments, records, assets, bytes, newBytes) = (nil, nil, nil, nil, nil, nil, nil)
    }

    package init(
        name: String, began: Timestamp, ended: Timestamp, environments: Int, records: Int64, assets: Int64,
        bytes: Int64, newBytes: Int64
    ) {
        self.name = name
        fault = nil
        self.began = began
        self.ended = ended
        self.environments = environments
        self.records = records
        self.assets = assets
        self.bytes = bytes
        self.newBytes = newBytes
    }
}

/// A backup job: its kind, state and result.
package struct BackupWorkInfo: Codable, Hashable, OperationAnswer, DocumentedValue {
    package static let about = AnswerText(
        "AdminBackupWork", "A backup job: its kind, state and result.",
        [
            "verifies": "The backup being verified; left out for a job that makes a backup.",
            "outcome": "A sentence about the result; empty while the job runs.",
        ])

    package enum State: String, CaseIterable, Codable, Sendable {
        case running, done, failed
    }

    /// The backup being verified; nil for a job that makes a backup.
    package let verifies: String?
    package let began: Timestamp
    package let state: State
    /// A sentence about the result; empty while the job runs.
    package let outcome: String

    package init(verifies: String?, began: Timestamp, state: State, outcome: String) {
        self.verifies = verifies
        self.began = began
        self.state = state
        self.outcome = outcome
    }
}

extension OperationCall {
    fileprivate func backups() throws(ServerError) -> any BackupKeeping {
        if let backups = workplace.backups { return backups }
        throw ServerError(
            .notFound, "this server makes no backups; set backup.to to a folder or s3://bucket/prefix",
            .missing(.backup))
    }
}
