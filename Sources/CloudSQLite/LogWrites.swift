import Dispatch

#if os(Linux)
    import Glibc

    /// Reports writes to a file by any program, by inotify, during this object's lifetime.
    ///
    /// A commit becomes visible shortly after its last write, once synced.
    final class LogWrites: @unchecked Sendable {
        // A Dispatch source is thread-safe.
        private let source: any DispatchSourceRead

        /// - Parameter onWrite: called with false when the watch ends because the file was moved or deleted.
        /// - Returns: nil if the file is missing, or the system's limit of watches is reached.
        init?(of path: String, onWrite: @escaping @Sendable (_ isTold: Bool) -> Void) {
            let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
            guard descriptor >= 0 else { return nil }
            guard inotify_add_watch(descriptor, path, UInt32(IN_MODIFY | IN_MOVE_SELF | IN_DELETE_SELF)) >= 0 else {
                close(descriptor)
                return nil
            }
            source = DispatchSource.makeReadSource(
                fileDescriptor: descriptor, queue: DispatchQueue(label: "writes of \(path)"))
            source.setEventHandler { onWrite(Self.isWatched(descriptor)) }
            source.setCancelHandler { close(descriptor) }
            source.resume()
        }

        deinit { source.cancel() }

        /// Reads the available events.
        ///
        /// - Returns: false if the watch has ended.
        private static func isWatched(_ descriptor: Int32) -> Bool {
            var isWatched = true
            withUnsafeTemporaryAllocation(byteCount: 4096, alignment: MemoryLayout<inotify_event>.alignment) { room in
                while true {
                    let count = read(descriptor, room.baseAddress, room.count)
                    guard count > 0 else { return }
                    var offset = 0
                    while offset + MemoryLayout<inotify_event>.size <= count {
                        let event = room.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                        if event.mask & UInt32(IN_MODIFY) == 0 { isWatched = false }
                        offset += MemoryLayout<inotify_event>.size + Int(event.len)
                    }
                }
            }
            return isWatched
        }
    }
#else
    /// Reports no writes; callers check the file every minute in any case.
    final class LogWrites: Sendable {
        init?(of path: String, onWrite: @escaping @Sendable (_ isTold: Bool) -> Void) { return nil }
    }
#endif
