import NIOCore

/// One file as many: behind the end of each version stands its own number, where a picture's readers do not look.
struct FileVersion {
    private let contents: ByteBuffer

    /// - Parameter atLeast: bytes to fill up to.
    init(_ bytes: [UInt8], atLeast size: Int = 0) {
        var contents = ByteBuffer(bytes: bytes)
        // Not zeros: what is to be carried should be as hard to shrink as a photo.
        var generator = SystemRandomNumberGenerator()
        repeat { contents.writeInteger(generator.next()) } while contents.readableBytes < size
        self.contents = contents
    }

    func numbered(_ number: Int) -> ByteBuffer {
        var version = contents
        version.setInteger(number, at: version.writerIndex - MemoryLayout<Int>.size)
        return version
    }
}
