import CLinux
import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// Ends processes left running by a command.
///
/// Includes processes that left the command's process group, such as daemons.
enum LostChildren {
    /// The time allowed for SIGTERM, and again for SIGKILL; the polling interval.
    private static let (patience, pause) = (Duration.seconds(5), Duration.milliseconds(20))

    /// Makes orphaned descendants children of this process.
    static func adopt() { clinux_adopt_orphans() }

    /// Ends all children and their descendants, which become children as their parents end.
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

    /// Child processes, at most 1024; later calls find the rest.
    private static func children() -> [pid_t] {
        withUnsafeTemporaryAllocation(of: pid_t.self, capacity: 1024) { room in
            Array(room.prefix(Int(clinux_children(room.baseAddress, Int32(room.count)))))
        }
    }
}
