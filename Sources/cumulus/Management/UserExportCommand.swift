import ArgumentParser
import CloudAssets
import CloudModel
import Foundation
import NIOCore
import Synchronization

extension UserCommand {
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Write all that a user has, in every container, into a zip file.",
            discussion: """
                It holds their account, private records, assets, shares, key-value store and subscriptions, and what \
                they made in public databases and in zones that others share with them. Whoever can read the file can \
                read all of it.
                """)
        @Argument(help: "The email address.") var email: String
        @Option(help: ArgumentHelp("File to write, which must not be there yet.", valueName: "file")) var to: String
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let bytes: Int
            do { bytes = try await write() } catch { throw Complaint(error) }
            let json: JSONValue = .members(["file": .string(to), "bytes": .integer(Int64(bytes))])
            Report("Exported user \(email) to \(to), \(bytes) bytes.", json: json).print(asJSON: output.json)
        }

        /// - Returns: the file's size in bytes.
        private func write() async throws -> Int {
            guard !FileManager.default.fileExists(atPath: to) else {
                throw Complaint("\(to) is there already; name another file")
            }
            let unfinished = to + ".partial"
            unlink(unfinished)
            let sink = try FileSink(path: unfinished)
            do {
                try await access.exportPerson(email, to: sink)
                return try sink.finish(as: to)
            } catch {
                unlink(unfinished)
                throw error
            }
        }
    }
}

/// A file that gets its final name when complete.
private final class FileSink: ByteSink, Sendable {
    private let path: String
    private let file: OutputFile
    private let size = Atomic(0)

    init(path: String) throws {
        self.path = path
        do { file = try OutputFile(path: path) } catch let fault as FileFault {
            throw Complaint("\(path) cannot be made: \(String(cString: strerror(fault.code)))")
        }
    }

    func write(_ bytes: ByteBuffer) async throws {
        try file.write(bytes)
        size.add(bytes.readableBytes, ordering: .relaxed)
    }

    /// - Returns: the file's size in bytes.
    func finish(as name: String) throws -> Int {
        try file.sync()
        guard rename(path, name) == 0 else {
            throw Complaint("\(name) cannot be made: \(String(cString: strerror(errno)))")
        }
        return size.load(ordering: .relaxed)
    }
}
