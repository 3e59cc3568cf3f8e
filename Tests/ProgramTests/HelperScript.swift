import Foundation
import TestProcess

extension ChildProcess {
    /// Starts a script of Python's, and waits for the line with which it says that it is ready.
    ///
    /// - Parameter file: the place that the script is written to.
    /// - Returns: the process, and that line.
    static func python(
        _ script: String, at file: URL, _ arguments: String...
    ) throws -> (process: ChildProcess, line: String) {
        try Data(script.utf8).write(to: file)
        let pipe = Pipe()
        let nothing = try FileHandle(forUpdating: URL(filePath: "/dev/null"))
        let process = try ChildProcess(
            URL(filePath: "/usr/bin/env"), ["python3", file.path()] + arguments,
            environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"],
            streams: (
                nothing.fileDescriptor, pipe.fileHandleForWriting.fileDescriptor,
                FileHandle.standardError.fileDescriptor
            ), bound: Program.bound)
        try pipe.fileHandleForWriting.close()
        let line = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
        return (process, line.trimmingCharacters(in: .newlines))
    }
}
