import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// The memory available to the process: its control group's limit, at most the machine's memory.
enum MemoryLimit {
    #if os(Linux)
        private static let (groups, root) = ("/proc/self/cgroup", "/sys/fs/cgroup")
    #else
        // Other systems have no control groups.
        private static let (groups, root) = ("", "")
    #endif

    /// - Parameters:
    ///   - groups: the file that names the process's control groups.
    ///   - root: the folder where control groups are mounted.
    /// - Returns: bytes; nil if unknown.
    static func ofProcess(groups: String = MemoryLimit.groups, root: String = MemoryLimit.root) -> Int? {
        let lines = (try? String(contentsOfFile: groups, encoding: .utf8)) ?? ""
        let found = lines.split(separator: "\n").flatMap { Self.limits(ofGroup: $0, root) }
        let machine = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
        return (found + (machine > 0 ? [machine] : [])).min()
    }

    /// The memory limits of a control group and its ancestors, by its line: `0::/path` for version 2, `4:memory:/path` for
    /// version 1.
    private static func limits(ofGroup line: Substring, _ root: String) -> [Int] {
        let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return [] }
        let (mount, name): (String, String)
        if parts[1].isEmpty {
            (mount, name) = (root, "memory.max")
        } else if parts[1].split(separator: ",").contains("memory") {
            (mount, name) = (root + "/memory", "memory.limit_in_bytes")
        } else {
            return []
        }
        // Inside a container the line may name the host's path; the limit file is then in the mount's root.
        let names = parts[2].split(separator: "/")
        return (0...names.count).compactMap { count in
            let folder = ([mount] + names.prefix(count).map(String.init)).joined(separator: "/")
            let text = try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            return text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        }
    }
}
