import CloudModel
import CloudTransfer
import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Shows the progress of long work on standard error: a changing line on terminals, otherwise a line every ten seconds.
final class ProgressLine: Sendable {
    private struct State {
        var what = ""
        var begun = ContinuousClock.now
        /// The amount already present at the start of a resumed run.
        var first: Int64 = 0
        var shown: ContinuousClock.Instant?
        var isLineOpen = false
    }

    private let isQuiet: Bool
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let state = Mutex(State())

    init(isQuiet: Bool) { self.isQuiet = isQuiet }

    var report: ReportProgress { { [self] in show($0) } }

    /// Moves the cursor to the beginning of a new line.
    func end() {
        let isLineOpen = state.withLock { state in
            defer { state.isLineOpen = false }
            return state.isLineOpen
        }
        if isLineOpen { FileHandle.standardError.write(Data("\n".utf8)) }
    }

    private func show(_ progress: TransferProgress) {
        if isQuiet { return }
        let line = state.withLock { state -> String? in
            let now = ContinuousClock.now
            var text = ""
            if state.what != progress.what {
                if state.isLineOpen { text = "\n" }
                state = State(what: progress.what, begun: now, first: progress.done)
            }
            let interval = isTerminal ? Duration.milliseconds(200) : .seconds(10)
            let isDue = (state.shown ?? (isTerminal ? nil : state.begun)).map { now - $0 >= interval } ?? true
            let isLast = progress.done == progress.total
            guard isDue || isTerminal && isLast else { return text.isEmpty ? nil : text }
            state.shown = now
            state.isLineOpen = isTerminal
            text += isTerminal ? "\r\u{1B}[K" : ""
            text += PlainText.line(progress.text(since: state.begun, first: state.first, now: now))
            return isTerminal ? text : text + "\n"
        }
        if let line { FileHandle.standardError.write(Data(line.utf8)) }
    }
}

extension TransferProgress {
    /// "records: 40000 of 100000, 9500 a second, 6 s left"
    fileprivate func text(
        since begun: ContinuousClock.Instant, first: Int64, now: ContinuousClock.Instant
    ) -> String {
        let seconds = Double((now - begun).components.seconds) + Double((now - begun).components.attoseconds) / 1e18
        let rate = seconds > 0 ? Double(done - first) / seconds : 0
        guard rate > 0 else { return "\(what): \(done) of \(total)" }
        let left = Int64((Double(total - done) / rate).rounded(.up))
        return "\(what): \(done) of \(total), \(Int64(rate)) a second, \(left) s left"
    }
}
