import Foundation
import Glibc

/// A terminal without a screen: what a program says on it, and somebody who types.
final class PseudoTerminal: Sendable {
    /// The end that the program has for its standard streams.
    let program: FileHandle
    /// The program's output, up to its end.
    let output: AsyncStream<String>
    private let screen: FileHandle

    init() throws {
        var (screen, program): (Int32, Int32) = (-1, -1)
        guard openpty(&screen, &program, nil, nil, nil) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        // Not for other programs that are started meanwhile, or the output would end with those.
        for descriptor in [screen, program] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        self.screen = FileHandle(fileDescriptor: screen, closeOnDealloc: true)
        self.program = FileHandle(fileDescriptor: program, closeOnDealloc: true)
        let (output, source) = AsyncStream<String>.makeStream()
        self.output = output
        // A thread of its own: it does nothing but read. A terminal that nobody has open any more is a failed read.
        Thread.detachNewThread { [handle = self.screen] in
            var bytes = [UInt8](repeating: 0, count: 4096)
            while case let count = read(handle.fileDescriptor, &bytes, bytes.count), count > 0 {
                source.yield(String(decoding: bytes.prefix(count), as: UTF8.self))
            }
            source.finish()
        }
    }

    func type(_ text: String) throws { try screen.write(contentsOf: Data(text.utf8)) }
}
