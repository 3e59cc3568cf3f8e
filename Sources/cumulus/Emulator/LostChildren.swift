import Foundation
import Glibc

/// Ends the processes that a command has left running.
///
/// A process that left the command's process group, such as a daemon, is found too.
enum LostChildren {
    /// The times that the polite signal and then the last one are given, and the pause between looks.
    private static let (patience, pause) = (Duration.seconds(5), Duration.milliseconds(20))

    /// Has processes whose parents end become children of this one.
    static func adopt() {
        // The headers have it with any number of arguments, which Swift cannot call.
        let prctl = unsafeBitCast(
            dlsym(nil, "prctl"), to: (@convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32).self)
        let setChildSubreaper: Int32 = 36
        _ = prctl(setChildSubreaper, 1, 0, 0, 0)
    }

    /// Ends all children, and theirs, which become this process's as their parents end.
    static func end() async {
        var asked: Set<pid_t> = []
        let end = ContinuousClock.now + patience
        while true {
            let left = children()
            guard !left.isEmpty else { return }
            for child in left {
                if .now >= end { kill(child, SIGKILL) } else if asked.insert(child).inserted { kill(child, SIGTERM) }
                waitpid(child, nil, WNOHANG)
            }
            guard .now < end + patience else { return }
            try? await Task.sleep(for: pause)
        }
    }

    /// Read from /proc: the list of one thread's children is not on every kernel.
    private static func children() -> [pid_t] {
        let own = getpid()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { name in
            guard let pid = pid_t(name), let text = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8),
                // After the name, which may have anything in it: the state and the parent.
                let rest = text.split(separator: ")").last?.split(separator: " "), rest.count > 1,
                pid_t(rest[1]) == own
            else { return nil }
            return pid
        }
    }
}
