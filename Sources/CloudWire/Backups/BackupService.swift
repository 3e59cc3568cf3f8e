import CloudAssets
package import CloudEngine
package import CloudModel
import CloudTransfer
package import Logging
import ServiceLifecycle

/// Makes scheduled backups while the server runs, and deletes old backups.
package struct BackupService: Service {
    /// Nil when no backups are configured.
    package let keeper: BackupKeeper?
    package let folder: DataFolder
    package let logger: Logger
    /// A jump of this clock may make a backup due.
    package let clock: SettableClock

    package init(keeper: BackupKeeper?, folder: DataFolder, logger: Logger, clock: SettableClock) {
        self.keeper = keeper
        self.folder = folder
        self.logger = logger
        self.clock = clock
    }

    /// The longest pause before a failed backup is retried.
    private static let again = Duration.seconds(900)
    /// The delay after startup before a due backup begins.
    private static let first = Duration.seconds(5)

    package func run() async throws {
        // Cancels a backup in progress, so that a hanging archive does not delay the shutdown.
        let work = keeper.map { keeper in Task { await keep(keeper) } }
        try? await gracefulShutdown()
        work?.cancel()
        keeper?.cancel()
    }

    private func keep(_ keeper: BackupKeeper) async {
        let schedule = keeper.schedule
        var jumps = clock.jumps
        var pause = untilDue(schedule)
        while (try? await clock.sleep(for: max(Self.first, pause), since: jumps)) != nil {
            if clock.jumps != jumps {
                jumps = clock.jumps
                pause = untilDue(schedule)
                if pause > .zero { continue }
            }
            do {
                try await keeper.makeDue()
                pause = untilDue(schedule)
            } catch {
                if Task.isCancelled { return }
                pause = min(Self.again, schedule.every)
                logger.error("no backup was made: \(error)", metadata: ["to": "\(schedule.archive.place)"])
            }
        }
    }

    /// The time until the next backup is due, counted from the last backup of this data folder in the same archive.
    private func untilDue(_ schedule: BackupSchedule) -> Duration {
        guard let last = BackupNote.read(folder), last.place == schedule.archive.place else { return .zero }
        return schedule.every - .milliseconds(folder.now().milliseconds - last.began.milliseconds)
    }
}
