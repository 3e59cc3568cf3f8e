import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The signals that ask a program to end, handed on to the command it runs.
///
/// The first one the command may answer as it likes, for a while; the second kills it. One that comes before there is a
/// command is handed on once there is.
final class ForwardedSignals: Sendable {
    static let all = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    private struct State {
        var process: CommandProcess?
        var first: Int32?
    }

    private let state = Mutex(State())
    /// Made and started once, kept, and not touched again.
    nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

    init() {
        sources = Self.all.map { DispatchSource.makeSignalSource(signal: $0, queue: .global()) }
        for (number, source) in zip(Self.all, sources) {
            signal(number, SIG_IGN)
            source.setEventHandler { [weak self] in self?.received(number) }
            source.resume()
        }
        // Giving the terminal away and taking it back would stop this program, and a stopped command leave it waiting.
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

    /// Nothing is handed on any more, and nothing ends the program before it has cleaned up.
    func stop() { state.withLock { $0.process = nil } }

    private func received(_ signal: Int32) {
        let (process, isFirst) = state.withLock { state in
            defer { state.first = state.first ?? signal }
            return (state.process, state.first == nil)
        }
        if isFirst { process?.end(by: signal) } else { process?.send(SIGKILL) }
    }
}
