import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// The process's limit on open connections and files.
enum OpenFiles {
    /// Enough for ten thousand waiting clients, with room for files.
    static let enough = 12_000

    /// Raises the limit to the system's maximum.
    ///
    /// - Returns: the new limit.
    static func raiseLimit() -> Int {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 0 }
        let before = limit.rlim_cur
        limit.rlim_cur = min(limit.rlim_max, most)
        let isRaised = setrlimit(resource, &limit) == 0
        return Int(clamping: isRaised ? limit.rlim_cur : before)
    }

    #if canImport(Glibc)
        private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        private static let most = rlim_t.max
    #else
        private static let resource = RLIMIT_NOFILE
        /// Darwin refuses higher values, even under an unlimited hard limit.
        private static let most = rlim_t(OPEN_MAX)
    #endif
}
