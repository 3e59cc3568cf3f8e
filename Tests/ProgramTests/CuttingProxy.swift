import Foundation
import TestPostgres
import TestProcess
import Testing

/// A proxy in front of PostgreSQL that cuts connections in the middle of a COMMIT, as networks do: before the statement
/// arrives, or before its answer does.
final class CuttingProxy: Sendable {
    enum Cut: String, CaseIterable { case before, after }

    /// The folder of its socket.
    let folder: String
    private let process: ChildProcess

    /// - Parameter folder: for its program, its socket and what it notes; its path must be short.
    init(in folder: String, to cluster: TestCluster) throws {
        self.folder = folder
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(Self.program.utf8).write(to: URL(filePath: folder + "/proxy.py"))
        let pipe = Pipe()
        let nothing = try FileHandle(forUpdating: URL(filePath: "/dev/null"))
        process = try ChildProcess(
            URL(filePath: "/usr/bin/env"), ["python3", folder + "/proxy.py", folder, cluster.socket],
            environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"],
            streams: (
                nothing.fileDescriptor, pipe.fileHandleForWriting.fileDescriptor,
                FileHandle.standardError.fileDescriptor
            ), bound: Program.bound)
        try pipe.fileHandleForWriting.close()
        try #require(!pipe.fileHandleForReading.availableData.isEmpty)
    }

    deinit {
        process.send(SIGKILL)
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Cuts every third transaction that writes from now on; none when nil.
    func set(_ cut: Cut?) throws { try Data((cut?.rawValue ?? "").utf8).write(to: URL(filePath: folder + "/cut")) }

    /// How many it has cut.
    var count: Int { FileManager.default.contents(atPath: folder + "/cuts")?.count ?? 0 }

    private static let program = #"""
        import os, socket, struct, sys, threading

        folder, upstream = sys.argv[1:]
        lock, commits = threading.Lock(), 0

        def chosen():
            global commits
            try: cut = open(folder + "/cut").read()
            except FileNotFoundError: return ""
            with lock:
                commits += 1
                if not cut or commits % 3: return ""
                with open(folder + "/cuts", "a") as noted: noted.write(".")
                return cut

        def take(connection, count):
            data = b""
            while len(data) < count:
                part = connection.recv(count - len(data))
                if not part: raise EOFError
                data += part
            return data

        def close(*connections):
            for connection in connections:
                try: connection.shutdown(socket.SHUT_RDWR)
                except OSError: pass

        def answer(client, server, state):
            try:
                while part := server.recv(65536):
                    if state["cut"]: break
                    client.sendall(part)
            except OSError: pass
            close(client, server)

        def serve(client):
            server = socket.socket(socket.AF_UNIX)
            server.connect(upstream + "/.s.PGSQL.5432")
            state = {"cut": False}
            threading.Thread(target=answer, args=(client, server, state), daemon=True).start()
            writes = False
            try:
                size = take(client, 4)
                server.sendall(size + take(client, struct.unpack("!i", size)[0] - 4))
                while True:
                    head = take(client, 5)
                    body = take(client, struct.unpack("!i", head[1:])[0] - 4)
                    if head[:1] == b"Q" and b"RETURNING groups" in body: writes = True
                    if head[:1] == b"Q" and body == b"COMMIT\0" and writes:
                        writes = False
                        cut = chosen()
                        if cut == "before": break
                        if cut == "after": state["cut"] = True
                    server.sendall(head + body)
            except (EOFError, OSError): pass
            close(client, server)

        listener = socket.socket(socket.AF_UNIX)
        listener.bind(folder + "/.s.PGSQL.5432")
        listener.listen(100)
        print("ready", flush=True)
        while True:
            threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
        """#
}
