import Dispatch

#if os(Linux)
    import Glibc

    /// Tells when any program writes to a file, as long as this lives (inotify).
    ///
    /// A commit can be read a moment after its last write, once that is on disk.
    final class LogWrites: @unchecked Sendable {
        // Dispatch's own, which any thread may use.
        private let source: any DispatchSourceRead

        /// - Parameter onWrite: called with false once nothing more can be told, since the file is another.
        /// - Returns: nil where the system watches no file more, or there is none.
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

        /// Takes the events that there are.
        ///
        /// - Returns: false when one of them was the last.
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
    /// Told nothing: a file is looked at once a minute in any case.
    final class LogWrites: Sendable {
        init?(of path: String, onWrite: @escaping @Sendable (_ isTold: Bool) -> Void) { return nil }
    }
#endif
