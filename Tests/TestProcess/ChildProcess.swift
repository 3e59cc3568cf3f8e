package import Foundation
import Glibc
import Synchronization

/// A program started by this one.
///
/// Not Foundation's `Process`: on Linux it reads past the end of its list of open files when there are more than
/// about 1,300, as there are while hundreds of tests run side by side.
package final class ChildProcess: Sendable {
    /// `posix_spawn_file_actions_addclosefrom_np`, which the headers keep from Swift.
    private static let closeFrom = unsafeBitCast(
        dlsym(nil, "posix_spawn_file_actions_addclosefrom_np"),
        to: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32).self)

    private struct Waiting {
        var status: Int32?
        var continuations: [CheckedContinuation<Int32, Never>] = []
    }

    package let pid: pid_t
    private let waiting = Mutex(Waiting())

    /// Starts a program whose standard streams are the given descriptors. It is killed when it outlives `bound`.
    ///
    /// It gets no other descriptor. Connections that a server of ours has taken would pass to it otherwise, and their
    /// other ends would not see them closed before it ends.
    ///
    /// - Parameters:
    ///   - more: descriptors of ours by the number each has in the program. Ours must be above those.
    ///   - bound: seconds.
    package init(
        _ executable: URL, _ arguments: [String], environment: [String: String],
        streams: (input: Int32, output: Int32, errors: Int32), more: [Int32: Int32] = [:], bound: Double
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, streams.input, 0)
        posix_spawn_file_actions_adddup2(&actions, streams.output, 1)
        posix_spawn_file_actions_adddup2(&actions, streams.errors, 2)
        for (number, descriptor) in more { posix_spawn_file_actions_adddup2(&actions, descriptor, number) }
        guard Self.closeFrom(&actions, (more.keys.max() ?? 2) + 1) == 0 else { throw POSIXError(.ENOMEM) }
        let words = ([executable.path()] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, executable.path(), &actions, nil, words, variables)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
        self.pid = pid
        // A thread of its own: it does nothing but wait.
        Thread.detachNewThread { [self] in wait() }
        DispatchQueue.global().asyncAfter(deadline: .now() + bound) { [weak self] in self?.send(SIGKILL) }
    }

    /// Sends a signal, unless the child is gone.
    package func send(_ signal: Int32) {
        waiting.withLock { if $0.status == nil { _ = kill(pid, signal) } }
    }

    /// Its exit status, or 128 and the signal that ended it.
    package func end() async -> Int32 {
        await withCheckedContinuation { continuation in
            let status = waiting.withLock { waiting in
                if waiting.status == nil { waiting.continuations.append(continuation) }
                return waiting.status
            }
            if let status { continuation.resume(returning: status) }
        }
    }

    private func wait() {
        // Waits without reaping first, so that a signal sent meanwhile cannot reach somebody else's process.
        var info = siginfo_t()
        while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        let continuations = waiting.withLock { waiting in
            var raw: Int32 = 0
            waitpid(pid, &raw, 0)
            let status = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : 128 + (raw & 0x7F)
            waiting.status = status
            defer { waiting.continuations = [] }
            return waiting.continuations.map { ($0, status) }
        }
        for (continuation, status) in continuations { continuation.resume(returning: status) }
    }
}
