import CloudAssets
import Foundation
import NIOPosix
import Synchronization

/// Keeps an environment's previews, posters and films within a number of bytes: the files that were not used for longest go.
///
/// The last use is the time of access, which Linux renews once a day. All these files can be made again.
final class PreviewRoom: Sendable {
    /// The part of the room that may be written until it is looked through again, and that is free afterwards.
    private static let part: Int64 = 10

    private let files: PreviewFiles
    private let most: Int64
    private let written = Atomic<Int64>(0)

    init(files: PreviewFiles, most: Int64) { (self.files, self.most) = (files, most) }

    /// Counts a file that was written, and deletes others once many have been.
    func add(_ path: String) async {
        let bytes = written.add(PreviewFiles.bytes(path)?.bytes ?? 0, ordering: .relaxed).newValue
        guard bytes > most / Self.part else { return }
        written.store(0, ordering: .relaxed)
        try? await tidy()
    }

    /// Deletes files until a part of the room is free, if the files take more than all of it.
    func tidy() async throws {
        try await NIOThreadPool.singleton.runIfActive { [files, most] in
            let found = files.list().values.joined().filter(files.isWhole).compactMap(files.use(of:))
            var sum = found.reduce(0) { $0 + $1.bytes }
            guard sum > most else { return }
            for file in found.sorted(by: { $0.used < $1.used }) {
                guard sum > most - most / Self.part else { break }
                files.remove(file.name)
                sum -= file.bytes
            }
        }
    }
}

/// A file's room on the disk, and its last use.
struct PreviewUse {
    let name: String
    let bytes: Int64
    /// Nanoseconds since 1970.
    let used: Int64
}

extension PreviewFiles {
    private static let block: Int64 = 4096

    func use(of name: String) -> PreviewUse? {
        Self.bytes("\(folder)/\(name)").map { PreviewUse(name: name, bytes: $0.bytes, used: $0.used) }
    }

    /// The bytes that a file takes, in whole blocks, and its last use; nil for a missing file.
    static func bytes(_ path: String) -> (bytes: Int64, used: Int64)? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let time = { (time: timespec) in Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec) }
        #if os(Linux)
            let (read, changed) = (status.st_atim, status.st_mtim)
        #else
            let (read, changed) = (status.st_atimespec, status.st_mtimespec)
        #endif
        return ((Int64(status.st_size) + block - 1) / block * block, max(time(read), time(changed)))
    }
}
