import Foundation
import Glibc
import TestProcess
import Testing

@Suite(.timeLimit(.minutes(20)))
struct ChildProcessTests {
    @Test("A child process inherits no open files") func openFiles() async throws {
        let input = try Self.pipe()
        let nothing = try FileHandle(forUpdating: URL(filePath: "/dev/null"))
        // As a server leaves the connections it takes: open in every program that is started meanwhile.
        let inherited = try Self.pipe()
        let child = try ChildProcess(
            URL(filePath: "/bin/cat"), [], environment: [:],
            streams: (input.read, nothing.fileDescriptor, nothing.fileDescriptor), bound: 600)
        close(inherited.write)
        var events = pollfd(fd: inherited.read, events: Int16(POLLIN), revents: 0)
        // Another that is just being started has it for a moment.
        #expect(poll(&events, 1, 30_000) == 1)
        #expect(events.revents & Int16(POLLHUP) != 0)
        child.send(SIGKILL)
        #expect(await child.end() == 128 + SIGKILL)
        for descriptor in [inherited.read, input.read, input.write] { close(descriptor) }
    }

    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EMFILE) }
        return (ends[0], ends[1])
    }
}
