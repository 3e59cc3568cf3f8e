package import CloudModel
import CloudStore

/// Operations on backups of the server's whole data.
package enum BackupOperations {
    package static let list = AdminOperation<BackupsInfo>(.get, "backups", .operations) {
        try await $0.backups().info()
    }

    /// Starts a backup without waiting for its end, which ``list`` reports.
    package static let create = AdminOperation<BackupWorkInfo>(
        .post, "backups", .operations, audit: .change("began a backup")
    ) { try $0.backups().start(.create) }

    /// Starts verification: reads a whole backup and compares checksums.
    package static let verify = AdminOperation<BackupWorkInfo>(
        .post, "backups/{name}/verify", .operations, audit: .change("began to verify a backup")
    ) { try $0.backups().start(.verify(try $0.arguments.text("name", atMost: 200))) }
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

package struct BackupsInfo: Codable, Hashable, Sendable {
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

package struct BackupInfo: Codable, Hashable, Sendable {
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
package struct BackupWorkInfo: Codable, Hashable, Sendable {
    package enum State: String, Codable, Sendable {
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
