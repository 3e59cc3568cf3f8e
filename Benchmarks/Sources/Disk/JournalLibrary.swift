import Foundation

/// The library that is preloaded into a program, built once by each process that needs it.
package enum JournalLibrary {
    struct NotBuilt: Error, CustomStringConvertible {
        let description = "cc did not build Benchmarks/Disk/journal.c"
    }

    /// What a program must have in its environment for the disk to be full once it has written so many bytes to the
    /// files of a folder.
    package static func fullDisk(at folder: String, after bytes: Int) throws -> [String: String] {
        ["LD_PRELOAD": try path.get(), "DISK_ROOT": folder, "DISK_ROOM": "\(bytes)"]
    }

    /// The same for it to be killed there.
    package static func killed(at folder: String, after bytes: Int) throws -> [String: String] {
        try fullDisk(at: folder, after: bytes).merging(["DISK_KILLS": "1"]) { $1 }
    }

    /// What it must have for the folder to be on a disk that is mounted to be read.
    package static func readOnly(at folder: String) throws -> [String: String] {
        ["LD_PRELOAD": try path.get(), "DISK_ROOT": folder, "DISK_READONLY": "1"]
    }

    /// What it must have for its writes to wait once it has written so many bytes, for as long as a file is there;
    /// `file.held` tells that one waits.
    package static func held(by file: String, at folder: String, after bytes: Int) throws -> [String: String] {
        try fullDisk(at: folder, after: bytes).merging(["DISK_HOLD": file]) { $1 }
    }

    /// Where it is.
    package static let path = Result<String, any Error> {
        let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Disk/journal.c")
        let library = FileManager.default.temporaryDirectory.appending(path: "cumulus-journal-\(UUID().uuidString).so")
        let words = ["cc", "-O2", "-shared", "-fPIC", "-o", library.path(), source.standardized.path(), "-ldl"]
        // Not Foundation's Process, which does not bear as many open files as a run of all tests has.
        var pid: pid_t = 0
        let arguments = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        guard posix_spawnp(&pid, "cc", nil, nil, arguments, environ) == 0 else { throw NotBuilt() }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else { throw NotBuilt() }
        return library.path()
    }
}
