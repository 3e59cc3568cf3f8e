import ArgumentParser
import CLinux
import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// A command in its own process group, shared by its descendants.
///
/// State: whether the process has been reaped, under a lock, since the system may reuse a reaped process's ID.
final class CommandProcess: Sendable {
    /// The grace period between a termination signal and SIGKILL.
    private static let patience = Duration.seconds(5)

    private let pid: pid_t
    private let isReaped = Mutex(false)
    private let holdsTerminal: Bool

    /// - Throws: ``ExitCode`` as in shells, after printing the reason: 127 for a missing command, 126 for an unrunnable
    ///   command.
    init(_ command: [String], environment: [String: String]) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var attributes = Self.attributes()
        defer { posix_spawnattr_destroy(&attributes) }
        // Connections inherited by the command would stay open after the server closes them.
        guard clinux_close_from(&actions, &attributes, 3) == 0 else { throw POSIXError(.ENOMEM) }
        let words = command.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var pid: pid_t = 0
        let code = posix_spawnp(&pid, command[0], &actions, &attributes, words, variables)
        guard code == 0 else {
            ExecCommand.say("cumulus: cannot run \(command[0]): \(String(cString: strerror(code)))")
            throw ExitCode(code == ENOENT ? 127 : 126)
        }
        self.pid = pid
        holdsTerminal = tcgetpgrp(STDIN_FILENO) == getpgrp()
        if holdsTerminal {
            tcsetpgrp(STDIN_FILENO, pid)
            // The command may have stopped on a terminal read before it owned the terminal.
            kill(-pid, SIGCONT)
        }
    }

    private static func attributes() -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        posix_spawnattr_setpgroup(&attributes, 0)
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in ForwardedSignals.all + [SIGPIPE, SIGTTOU] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        return attributes
    }

    /// Signals the whole process group, unless the command has been reaped.
    func send(_ signal: Int32) {
        isReaped.withLock { if !$0 { _ = kill(-pid, signal) } }
    }

    /// Sends a signal, followed by SIGKILL after the grace period.
    func end(by signal: Int32) {
        send(signal)
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Int(Self.patience.components.seconds))) {
            self.send(SIGKILL)
        }
    }

    /// The command's exit status, or 128 plus the number of a fatal signal.
    func end() async -> Int32 {
        let status = await withCheckedContinuation { continuation in
            // A separate thread, since waiting blocks.
            Thread.detachNewThread { continuation.resume(returning: self.wait()) }
        }
        if holdsTerminal { tcsetpgrp(STDIN_FILENO, getpgrp()) }
        return status
    }

    private func wait() -> Int32 {
        // Waits without reaping, so that a concurrent signal cannot hit a process that reuses the ID.
        var info = siginfo_t()
        while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        return isReaped.withLock { isReaped in
            // Signal the group before reaping frees the ID; remaining group members keep the ID reserved.
            kill(-pid, SIGTERM)
            var raw: Int32 = 0
            waitpid(pid, &raw, 0)
            isReaped = true
            return raw & 0x7F == 0 ? (raw >> 8) & 0xFF : 128 + (raw & 0x7F)
        }
    }
}
