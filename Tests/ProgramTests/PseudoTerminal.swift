import Foundation
import Glibc

/// A terminal without a screen: what a program says on it, and somebody who types.
final class PseudoTerminal: Sendable {
    /// What the program has for its standard streams.
    let program: FileHandle
    /// What it says, to its end.
    let output: AsyncStream<String>
    private let screen: FileHandle

    init() throws {
        // Closed in other programs that are started meanwhile, or the output would end with those.
        let screen = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)
        var name = [CChar](repeating: 0, count: 128)
        guard screen >= 0, grantpt(screen) == 0, unlockpt(screen) == 0, ptsname_r(screen, &name, name.count) == 0 else {
            throw POSIXError(.init(rawValue: errno) ?? .EIO)
        }
        let program = Glibc.open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard program >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
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
