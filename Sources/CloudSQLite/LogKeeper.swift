import CloudSQL
import Dispatch
import GRDBSQLite
import Synchronization

/// Brings the log of one file back into it beside the file's writer, so that no commit waits for that.
///
/// At ``threshold`` frames a thread copies, in rounds of its own: what the log holds goes into the file and the file is
/// synced, again until few frames are left. The writer then copies those few after a commit of its own, which completes
/// the log, so that the next commit begins it anew. Nobody but SQLite ever says that a log is complete, and it does so
/// after a sync of the file. A reader of an old state puts that off; it is tried again as the log grows.
///
/// A log that the writer leaves above the threshold is given back by the thread once no commit comes for a second. One
/// that a long reader had grow is shortened in pieces once it was begun anew: to cut 2 GB off at once takes 0.8 s, and a
/// writer would wait for that.
final class LogKeeper: Sendable {
    /// Frames of the log, a page of the file each, at which it is brought back. More makes syncs of a log that grows
    /// slower, fewer write pages that many commits touch more often.
    static let threshold = 16_000
    /// Frames left at which the thread leaves the rest to the writer.
    private static let rest = 500
    /// Frames the log may grow by while the thread copies; then its writer waits. A log that a reader has kept, such as a
    /// backup, may have grown long and takes its time: it may grow by half of that again.
    private static let leastBeside = 12_000
    /// Frames after which it is tried again where a reader was in the way.
    private static let retry = 1_000
    private static let quiet = DispatchTimeInterval.seconds(1)
    /// Quiet seconds after which a log is given back however long it is.
    private static let longQuiet = 60
    /// Bytes that are cut off at once, in some 3 ms, and the rest after it.
    private static let piece: Int64 = 8 << 20
    private static let pause = DispatchTimeInterval.milliseconds(25)

    /// One thread for the files of all environments, and only while one has something to do.
    private static let thread = DispatchQueue(label: "log", qos: .utility)

    private enum Phase: Equatable {
        case idle
        /// The thread copies, since the log had so many frames.
        case copying(since: Int)
        /// The writer does what is left.
        case ready
        /// A reader or the disk is in the way until the log has so many frames.
        case waiting(until: Int)
        /// A sync has failed, so nobody knows what the file holds: all of the log stays until the file is opened anew.
        case doubtful
    }

    private enum Step {
        case none, start, copy, finish
    }

    private struct State {
        var phase = Phase.idle
        /// Of the log after the last commit, and of those the ones that are in the file.
        var (frames, copied) = (0, 0)
        var commits = 0
        var isWatched = false
        var isShortened = false
        var counts = Counts()
        var onTrouble: (@Sendable (SQLError?) -> Void)?
    }

    /// Counts since the file was opened.
    struct Counts: Equatable {
        /// The most frames that the log has held after a commit.
        var longestLog = 0
        /// The most frames that the writer has copied at once, an upper bound of its pages.
        var longestPass = 0
        /// The number of times that the log was begun anew.
        var resets = 0
        /// The number of pieces that were cut off it.
        var pieces = 0
    }

    private let state = Mutex(State())
    private let copier: Mutex<LogCopier>

    init(path: String) { copier = Mutex(LogCopier(path)) }

    var counts: Counts { state.withLock { $0.counts } }

    /// Takes the place of SQLite's own checkpoints on the writer's connection, which must be closed after this.
    func install(on writer: OpaquePointer) {
        sqlite3_wal_hook(
            writer,
            { keeper, writer, _, frames in
                guard let keeper, let writer else { return SQLITE_OK }
                Unmanaged<LogKeeper>.fromOpaque(keeper).takeUnretainedValue().committed(Int(frames), writer)
                // The commit is in the log whatever was said against the rest.
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// - Parameter onTrouble: called, on any thread, with what keeps the log from being brought back; with nil once it
    ///   was.
    func watch(_ onTrouble: @escaping @Sendable (SQLError?) -> Void) { state.withLock { $0.onTrouble = onTrouble } }

    /// Runs `body` while the thread leaves the file alone.
    func alone(_ body: () throws -> Void) throws { try copier.withLock { _ in try body() } }

    /// To be called before the writer is closed.
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

    /// Copies until few frames are left, or a reader keeps the others.
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

    /// Looks once a second whether the writer has gone quiet, until the log is short.
    private func watchQuiet() {
        let begins = state.withLock { state in
            defer { state.isWatched = true }
            return !state.isWatched
        }
        if begins { lookLater(after: 0, quietly: 0) }
    }

    /// - Parameter times: looks in a row that have found the writer quiet.
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
                    // Else the writer's next commit tells what there is.
                    guard state.commits == commits else { return }
                    (state.phase, state.frames, state.copied) = (.idle, 0, 0)
                    state.counts.resets += 1
                }
                tell(nil)
            } catch { fail(error) }
        }
    }

    /// Has the thread cut off what the log does not need any more.
    private func shortenLater(_ state: inout State) {
        if state.isShortened { return }
        state.isShortened = true
        Self.thread.async { [weak self] in self?.shorten() }
    }

    private func shorten() {
        // What cannot be cut off only takes its room.
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
