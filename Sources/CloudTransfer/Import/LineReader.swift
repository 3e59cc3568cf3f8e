import CloudStore
import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Reads one file line by line in bounded memory.
final class LineReader {
    /// The byte limit of a line; longer lines are refused.
    static let longestLine = 64 << 20
    private static let chunk = 256 << 10

    private let name: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    /// The buffer index where the next line begins.
    private var start = 0
    private var isAtEnd = false
    /// The number of the last line read, from 1.
    private(set) var line = 0

    /// - Throws: ``TransferFault`` when the file cannot be opened.
    init(_ name: String, in folder: ExportFolder) throws {
        self.name = name
        descriptor = open(folder.path(name), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw TransferFault("\(folder.path(name)) cannot be read: \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(descriptor) }

    /// The next line without its newline; nil at the end.
    func next() throws -> [UInt8]? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { start = end + 1 }
                line += 1
                return Array(buffer[start..<end])
            }
            searched = buffer.count
            if isAtEnd { return try rest() }
            guard buffer.count - start <= Self.longestLine else {
                throw TransferFault(file: name, line: line + 1, "longer than \(Self.longestLine) bytes")
            }
            searched -= try fill()
        }
    }

    private func rest() throws -> [UInt8]? {
        guard start < buffer.count else { return nil }
        throw TransferFault(file: name, line: line + 1, "the file ends in the middle of the line")
    }

    /// - Returns: the number of bytes dropped from the front of the buffer.
    private func fill() throws -> Int {
        let dropped = start
        buffer.removeSubrange(..<start)
        start = 0
        var result = 0
        buffer += [UInt8](unsafeUninitializedCapacity: Self.chunk) { bytes, count in
            result = read(descriptor, bytes.baseAddress, Self.chunk)
            count = max(result, 0)
        }
        guard result >= 0 else {
            throw TransferFault("\(name) cannot be read: \(String(cString: strerror(errno)))")
        }
        isAtEnd = result == 0
        return dropped
    }
}
