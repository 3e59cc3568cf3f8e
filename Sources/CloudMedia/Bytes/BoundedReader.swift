/// Reads a source in windows, counts reads and bytes, and stops at the limits.
final class BoundedReader {
    private let source: any ByteSource
    private let limits: ReadLimits
    private(set) var reads = 0
    private(set) var bytesRead = 0
    /// Bytes of blocks handed out, read anew or not: many items may name the same bytes.
    private var blockBytes = 0
    let count: Int
    private var windows: [Window] = []

    private struct Window {
        let start: Int
        let bytes: [UInt8]

        func contains(_ range: Range<Int>) -> Bool {
            range.lowerBound >= start && range.upperBound <= start + bytes.count
        }
    }

    private static let windowSize = 4096
    private static let mostWindows = 4

    init(_ source: any ByteSource, limits: ReadLimits) {
        self.source = source
        self.limits = limits
        count = max(source.count, 0)
    }

    /// Calls `body` with the bytes of `range`, the first at index 0 of the buffer.
    func withBytes<T>(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws -> T) throws -> T {
        guard range.lowerBound >= 0, range.upperBound <= count else { throw MediaFault.truncated }
        let window = try windows.last { $0.contains(range) } ?? load(range)
        return try window.bytes.withUnsafeBytes { bytes in
            let start = range.lowerBound - window.start
            return try body(UnsafeRawBufferPointer(rebasing: bytes[start..<start + range.count]))
        }
    }

    /// Counts a block before it is handed out.
    func countBlock(_ length: Int) throws {
        blockBytes += length
        guard blockBytes <= Block.mostOfFile else { throw MediaFault.limit }
    }

    private func load(_ range: Range<Int>) throws -> Window {
        let left = limits.bytes - bytesRead
        guard reads < limits.reads, range.count <= left else { throw MediaFault.limit }
        let wanted = min(max(range.count, Self.windowSize), left, count - range.lowerBound)
        reads += 1
        let bytes: [UInt8]
        do {
            bytes = try source.read(range.lowerBound..<range.lowerBound + wanted)
        } catch {
            throw MediaFault.unreadable
        }
        bytesRead += bytes.count
        let window = Window(start: range.lowerBound, bytes: bytes)
        guard window.contains(range) else { throw MediaFault.truncated }
        if windows.count == Self.mostWindows { windows.removeFirst() }
        windows.append(window)
        return window
    }
}
