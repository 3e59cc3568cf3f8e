import CloudSQL
import Dispatch
import GRDBSQLite
import Synchronization

/// Checkpoints the log of one database beside its writer, so that commits do not wait.
///
/// At ``threshold`` frames a background thread copies frames and syncs the file, in rounds, until few frames are left.
/// The writer copies the rest after a commit, which completes the log; the next commit restarts it. Only SQLite decides
/// that a log is complete, after syncing the file. A reader of an old snapshot delays this; the keeper retries as the
/// log grows.
///
/// If the writer goes quiet above the threshold, the thread truncates the log after a second. A log enlarged by a long
/// reader is cut in pieces after its restart: cutting 2 GB at once takes 0.8 s, and a writer would wait.
final class LogKeeper: Sendable {
    /// The log frames, one page each, that start a checkpoint. Syncs take longer while the log file grows, which limits
    /// the value; a lower value copies frequently changed pages more often.
    static let threshold = 16_000
    /// The number of remaining frames that the thread leaves to the writer.
    private static let rest = 500
    /// Frames that the log may grow by while the thread copies; beyond that the writer waits. A log kept long by a
    /// reader, such as a backup, takes longer to copy and may grow by half its length.
    private static let leastBeside = 12_000
    /// Log growth in frames before a retry, after a reader blocked the checkpoint.
    private static let retry = 1_000
    private static let quiet = DispatchTimeInterval.seconds(1)
    /// Quiet seconds before a log of any length is truncated.
    private static let longQuiet = 60
    /// Bytes cut off at once, in about 3 ms.
    private static let piece: Int64 = 8 << 20
    private static let pause = DispatchTimeInterval.milliseconds(25)

    /// A thread shared by all environments, active only on demand.
    private static let thread = DispatchQueue(label: "log", qos: .utility)

    private enum Phase: Equatable {
        case idle
        /// The thread copies; the log had `since` frames at the start.
        case copying(since: Int)
        /// The writer will copy the remaining frames.
        case ready
        /// Blocked by a reader or a disk error until the log has `until` frames.
        case waiting(until: Int)
        /// A sync failed, so the file's state is unknown: the whole log stays until the file is reopened.
        case doubtful
    }

    private enum Step {
        case none, start, copy, finish
    }

    private struct State {
        var phase = Phase.idle
        /// Log frames after the last commit, and copied frames among them.
        var (frames, copied) = (0, 0)
        var commits = 0
        var isWatched = false
        var isShortened = false
        var counts = Counts()
        var onTrouble: (@Sendable (SQLError?) -> Void)?
    }

    /// Counts since the file was opened.
    struct Counts: Equatable {
        /// The largest number of log frames after a commit.
        var longestLog = 0
        /// The most frames copied by the writer at once, an upper bound of pages.
        var longestPass = 0
        /// The number of log restarts.
        var resets = 0
        /// The number of pieces cut off the log.
        var pieces = 0
    }

    private let state = Mutex(State())
    private let copier: Mutex<LogCopier>

    init(path: String) { copier = Mutex(LogCopier(path)) }

    var counts: Counts { state.withLock { $0.counts } }

    /// Replaces SQLite's automatic checkpoints on the writer's connection. Call ``close()`` before closing the writer, and
    /// keep this object until then.
    func install(on writer: OpaquePointer) {
        sqlite3_wal_hook(
            writer,
            { keeper, writer, _, frames in
                guard let keeper, let writer else { return SQLITE_OK }
                Unmanaged<LogKeeper>.fromOpaque(keeper).takeUnretainedValue().committed(Int(frames), writer)
                // A failed checkpoint does not affect the commit, which is in the log.
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// - Parameter onTrouble: called on any thread with each checkpoint error, and with nil after a success.
    func watch(_ onTrouble: @escaping @Sendable (SQLError?) -> Void) { state.withLock { $0.onTrouble = onTrouble } }

    /// Runs `body` while the thread pauses.
    func alone(_ body: () throws -> Void) throws { try copier.withLock { _ in try body() } }

    /// Called before the writer closes.
    func close() { copier.withLock { $0.close() } }

    // MARK: On the writer's thread

    private func committed(_ frames: Int, _ writer: OpaquePointer) {
        switch state.withLock({ next(frames, &$0) }) {
        case .none: return
        case .start: Self.thread.async { [weak self] in self?.copy() }
        case .copy: copy()
        case .finish: finish(on: writer)
        }
    }

    private func next(_ frames: Int, _ state: inout State) -> Step {
        if frames < state.frames {
            state.counts.resets += 1
            state.copied = 0
            shortenLater(&state)
        }
        state.frames = frames
        state.commits += 1
        state.counts.longestLog = max(state.counts.longestLog, frames)
        switch state.phase {
        case .idle where frames >= Self.threshold: return Self.start(&state)
        case .waiting(let until) where frames >= until: return Self.start(&state)
        case .copying(let since) where frames >= since + max(Self.leastBeside, since / 2): return .copy
        case .ready, .waiting:
            if frames >= Self.threshold { return state.phase == .ready ? .finish : .none }
            state.phase = .idle
            return .none
        case .idle, .copying, .doubtful: return .none
        }
    }

    private static func start(_ state: inout State) -> Step {
        state.phase = .copying(since: state.frames)
        return .start
    }

    private func finish(on writer: OpaquePointer) {
        do throws(LogCopier.Failure) {
            let pass = try LogCopier.pass(on: writer)
            guard !pass.isBusy else { return }
            state.withLock { state in
                state.counts.longestPass = max(state.counts.longestPass, pass.copied - state.copied)
                state.copied = pass.copied
                if state.frames - pass.copied >= Self.rest { state.phase = .waiting(until: state.frames) }
            }
            tell(nil)
        } catch { fail(error) }
    }

    // MARK: On the thread, or for it

    /// Copies until few frames are left, or a reader blocks the rest.
    private func copy() {
        let isDone = copier.withLock { copier in
            guard isCopying, copier.isOpen else { return false }
            do throws(LogCopier.Failure) {
                repeat {
                    let pass = try copier.passAndSync()
                    note(pass)
                } while isCopying
                return true
            } catch {
                fail(error)
                return false
            }
        }
        if isDone { tell(nil) }
        watchQuiet()
    }

    private var isCopying: Bool {
        state.withLock { if case .copying = $0.phase { true } else { false } }
    }

    private func note(_ pass: LogCopier.Pass) {
        state.withLock { state in
            let progress = pass.isBusy ? 0 : pass.copied - state.copied
            if !pass.isBusy { state.copied = pass.copied }
            if state.frames - state.copied < Self.rest {
                state.phase = .ready
            } else if progress <= 0 {
                state.phase = .waiting(until: state.frames + Self.retry)
            }
        }
    }

    private func fail(_ error: LogCopier.Failure) {
        state.withLock { state in
            state.phase = error.isDoubtful ? .doubtful : .waiting(until: state.frames + Self.retry)
        }
        tell(error.error)
    }

    private func tell(_ error: SQLError?) { state.withLock { $0.onTrouble }?(error) }

    /// Checks once a second for a quiet writer, until the log is short.
    private func watchQuiet() {
        let begins = state.withLock { state in
            defer { state.isWatched = true }
            return !state.isWatched
        }
        if begins { lookLater(after: 0, quietly: 0) }
    }

    /// - Parameter times: consecutive checks that found the writer quiet.
    private func lookLater(after commits: Int, quietly times: Int) {
        Self.thread.asyncAfter(deadline: .now() + Self.quiet) { [weak self] in self?.look(after: commits, times) }
    }

    private func look(after commits: Int, _ times: Int) {
        let isOpen = copier.withLock { $0.isOpen }
        let (goesOn, now) = state.withLock { state in
            state.isWatched = isOpen && state.frames >= Self.threshold && state.phase != .doubtful
            return (state.isWatched, state.commits)
        }
        guard goesOn else { return }
        let times = now == commits ? times + 1 : 0
        if times > 0 { giveBack(after: commits, atAnyLength: times >= Self.longQuiet) }
        lookLater(after: now, quietly: times)
    }

    private func giveBack(after commits: Int, atAnyLength: Bool) {
        copier.withLock { copier in
            do throws(LogCopier.Failure) {
                let most = atAnyLength ? Int64.max : 4 * Int64(SQLiteEngine.logLimit)
                guard try copier.giveBack(upTo: most) else { return }
                state.withLock { state in
                    // After a new commit, the writer's hook reports the log's length.
                    guard state.commits == commits else { return }
                    (state.phase, state.frames, state.copied) = (.idle, 0, 0)
                    state.counts.resets += 1
                }
                tell(nil)
            } catch { fail(error) }
        }
    }

    /// Schedules the truncation of an oversized log.
    private func shortenLater(_ state: inout State) {
        if state.isShortened { return }
        state.isShortened = true
        Self.thread.async { [weak self] in self?.shorten() }
    }

    private func shorten() {
        // A failed cut only wastes disk space.
        let cut = copier.withLock { copier in
            copier.isOpen ? try? copier.shorten(to: Int64(SQLiteEngine.logLimit), by: Self.piece) : nil
        }
        state.withLock { state in
            if cut?.isCut == true { state.counts.pieces += 1 }
            state.isShortened = cut?.isMore == true
        }
        guard cut?.isMore == true else { return }
        Self.thread.asyncAfter(deadline: .now() + Self.pause) { [weak self] in self?.shorten() }
    }
}
