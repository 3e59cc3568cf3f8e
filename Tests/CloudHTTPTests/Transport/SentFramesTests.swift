@testable import CloudHTTP
import NIOCore
import Testing

/// An error of a connection is known by the frame that tells the client.
struct SentFramesTests {
    private static func frame(_ kind: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [0, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF), kind, 0, 0, 0, 0, 0] + payload
    }

    private static let error = frame(7, [0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0, 11])

    /// Whether an error is found in bytes that are written so many at a time.
    private static func isFound(in bytes: [UInt8], by size: Int) -> Bool {
        var frames = SentFrames()
        return stride(from: 0, to: bytes.count, by: size).map { start in
            frames.holdError(ByteBuffer(bytes: bytes[start..<min(start + size, bytes.count)]).readableBytesView)
        }.contains(true)
    }

    @Test("A GOAWAY frame with an error is found at every position, and no other frame matches")
    func errors() {
        let others = Self.frame(4, []) + Self.frame(0, Self.error) + Self.frame(6, [UInt8](repeating: 7, count: 8))
        let farewell = Self.frame(7, [0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0])
        for size in [1, 2, 9, 17, 1000] {
            #expect(!Self.isFound(in: others + farewell + others, by: size))
            #expect(Self.isFound(in: others + farewell + Self.error, by: size))
            #expect(Self.isFound(in: Self.error + others, by: size))
        }
    }
}
