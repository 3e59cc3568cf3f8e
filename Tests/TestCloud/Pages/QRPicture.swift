package import Foundation
import Glibc
import TestProcess
import Testing

/// Pictures of QR codes.
package enum QRPicture {
    /// The texts of the codes that zbar finds in a picture.
    package static func read(_ picture: Data) async throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "qr-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (input, output) = (folder.appending(path: "picture"), folder.appending(path: "texts"))
        try picture.write(to: input)
        #expect(FileManager.default.createFile(atPath: output.path(), contents: nil))
        let (file, nothing) = (
            try FileHandle(forWritingTo: output), try FileHandle(forUpdating: URL(filePath: "/dev/null"))
        )
        let reader = try ChildProcess(
            URL(filePath: "/usr/bin/zbarimg"), ["--quiet", "--raw", input.path()],
            environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path()],
            streams: (nothing.fileDescriptor, file.fileDescriptor, nothing.fileDescriptor), bound: 60)
        #expect(await reader.end() == 0, "zbarimg of the package zbar-tools")
        return try String(contentsOf: output, encoding: .utf8).split(separator: "\n").map(String.init)
    }
}
