import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Forwards termination signals to the command.
///
/// The first signal gives the command a grace period; the second kills it. A signal received before the command starts is
/// forwarded at its start.
final class ForwardedSignals: Sendable {
    static let all = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    private struct State {
        var process: CommandProcess?
        var first: Int32?
    }

    private let state = Mutex(State())
    /// Created once and never changed.
    nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

    init() {
        sources = Self.all.map { DispatchSource.makeSignalSource(signal: $0, queue: .global()) }
        for (number, source) in zip(Self.all, sources) {
            signal(number, SIG_IGN)
            source.setEventHandler { [weak self] in self?.received(number) }
            source.resume()
        }
        // Passing the terminal to the command and back would stop this program; a stopped command would leave it waiting.
        signal(SIGTTOU, SIG_IGN)
        signal(SIGTSTP, SIG_IGN)
    }

    func forward(to process: CommandProcess) {
        let first = state.withLock { state in
            state.process = process
            return state.first
        }
        if let first { process.end(by: first) }
    }

    /// Stops forwarding. Later signals are ignored, so that cleanup can finish.
    func stop() { state.withLock { $0.process = nil } }

    private func received(_ signal: Int32) {
        let (process, isFirst) = state.withLock { state in
            defer { state.first = state.first ?? signal }
            return (state.process, state.first == nil)
        }
        if isFirst { process?.end(by: signal) } else { process?.send(SIGKILL) }
    }
}
