package import CloudAccounts
import CloudAssets
package import CloudEngine
import CloudModel
package import CloudOperations
import CloudTransfer
package import Logging
import Synchronization

/// The server's backups, made by ``BackupService`` on schedule or on an operator's request.
///
/// State: the last job, and the task of a requested job, under one lock.
package final class BackupKeeper: BackupKeeping {
    private struct State {
        var work: BackupWorkInfo?
        var task: Task<Void, Never>?
    }

    let schedule: BackupSchedule
    private let folder: DataFolder
    private let accounts: AccountStore
    private let logger: Logger
    private let state = Mutex(State())

    package init(_ schedule: BackupSchedule, folder: DataFolder, accounts: AccountStore, logger: Logger) {
        self.schedule = schedule
        self.folder = folder
        self.accounts = accounts
        self.logger = logger
    }

    /// Makes a backup, and deletes backups beyond the number to keep.
    private func backUp() async throws -> BackupManifest {
        let manifest = try await BackupCreation(of: folder, accounts: accounts, to: schedule.archive).run()
        logger.info(
            "made the backup \(manifest.name)",
            metadata: [
                "to": "\(schedule.archive.place)", "databaseBytes": "\(manifest.databaseBytes)",
                "newAssetBytes": "\(manifest.newAssetBytes)",
            ])
        if manifest.missingAssets > 0 {
            logger.warning(
                "\(manifest.missingAssets) assets were lost or damaged before the backup; 'cumulus check' names them")
        }
        let pruned = try await BackupPruning(of: folder, in: schedule.archive).run(keeping: schedule.keep)
        if !pruned.dropped.isEmpty { logger.info("dropped backups: \(pruned.dropped.joined(separator: ", "))") }
        return manifest
    }

    package func info() async throws -> BackupsInfo {
        let entries: [BackupArchive.Entry]
        do { entries = try await BackupArchive(schedule.archive, of: folder).list() } catch {
            throw ServerError(.tryAgainLater, "\(String(describing: error))", .server(.disk), retryAfter: 30)
        }
        return BackupsInfo(
            place: schedule.archive.place, every: schedule.every.components.seconds, keep: schedule.keep,
            backups: entries.reversed().prefix(1_000).map(BackupInfo.init), work: state.withLock(\.work))
    }

    package func start(_ work: BackupWork) throws -> BackupWorkInfo {
        let begun = try begin(work)
        let task = Task {
            do { try await perform(work, since: begun.began) } catch {
                logger.error(
                    "an operator's work on backups failed: \(error)", metadata: ["to": "\(schedule.archive.place)"])
            }
        }
        state.withLock { $0.task = task }
        return begun
    }

    /// Makes a scheduled backup, visible to operators as a running job.
    ///
    /// - Throws: `CONFLICT` while another backup job runs, and the errors of the backup.
    func makeDue() async throws { try await perform(.create, since: try begin(.create).began) }

    private func begin(_ work: BackupWork) throws(ServerError) -> BackupWorkInfo {
        let begun = BackupWorkInfo(verifies: work.name, began: folder.now(), state: .running, outcome: "")
        let isFree = state.withLock { state in
            guard state.work?.state != .running else { return false }
            state.work = begun
            return true
        }
        guard isFree else {
            throw ServerError(
                .conflict, "a backup is being made or verified; ask again when that is done", .taken(.backup))
        }
        return begun
    }

    private func perform(_ work: BackupWork, since began: Timestamp) async throws {
        let end = { (outcome: String, isGood: Bool) in
            self.state.withLock {
                $0.work = BackupWorkInfo(
                    verifies: work.name, began: began, state: isGood ? .done : .failed, outcome: outcome)
            }
        }
        do {
            let (outcome, isGood) = try await result(of: work)
            end(outcome, isGood)
        } catch {
            end("\(error)", false)
            throw error
        }
    }

    private func result(of work: BackupWork) async throws -> (String, Bool) {
        switch work {
        case .create:
            let manifest = try await backUp()
            return ("Made the backup \(manifest.name) with \(manifest.records) records.", true)
        case .verify(let name):
            let found = try await BackupVerification(of: folder, in: schedule.archive).run(name)
            guard let first = found.problems.first else {
                return ("\(name) is as it was written: \(found.assets) assets were read.", true)
            }
            let others = found.problems.count + found.more - 1
            return (
                others == 0 ? first : "\(first), and \(others) more; 'cumulus backup verify \(name)' names them", false
            )
        }
    }

    /// Cancels the running job when the server stops.
    func cancel() { state.withLock { $0.task }?.cancel() }
}

extension BackupInfo {
    fileprivate init(_ entry: BackupArchive.Entry) {
        switch entry.manifest {
        case .success(let manifest):
            self.init(
                name: manifest.name, began: manifest.began, ended: manifest.ended,
                environments: manifest.environments.count, records: manifest.records, assets: manifest.assets,
                bytes: manifest.databaseBytes + manifest.assetBytes,
                newBytes: manifest.databaseBytes + manifest.newAssetBytes)
        case .failure(let fault): self.init(name: entry.name, fault: fault.description)
        }
    }
}
