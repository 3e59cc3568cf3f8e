import Foundation
import TestPostgres
import TestProcess
import Testing

/// A proxy in front of PostgreSQL that can fail as servers and networks do.
final class StallingProxy: Sendable {
    enum Failure: String, CaseIterable {
        /// The server stands still: its connections are there, and nothing answers.
        case frozen
        /// Connections come about, and what is sent is dropped.
        case silent
        /// Connections are refused, and those there were are closed.
        case refused
    }

    /// The folder of its socket.
    let folder: String
    private let process: ChildProcess
    private let cluster: TestCluster

    /// - Parameter folder: for its program and its socket; its path must be short.
    init(in folder: String, to cluster: TestCluster) throws {
        self.folder = folder
        self.cluster = cluster
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
        process.send(SIGCONT)
        process.send(SIGKILL)
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Begins to fail.
    func fail(_ failure: Failure) {
        switch failure {
        // The kernel takes connections and bytes for it, as it does for a server that is stopped.
        case .frozen: process.send(SIGSTOP)
        case .silent: process.send(SIGUSR1)
        case .refused: process.send(SIGUSR2)
        }
    }

    /// Is well again. What was dropped stays lost.
    func mend() {
        process.send(SIGCONT)
        process.send(SIGHUP)
    }

    private static let program = #"""
        import os, signal, socket, sys, threading

        folder, upstream = sys.argv[1:]
        path, state, connections, listener = folder + "/.s.PGSQL.5432", "well", set(), None

        def listen():
            global listener
            if listener: return
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(path)
            listener.listen(200)
            threading.Thread(target=accept, args=(listener,), daemon=True).start()

        def accept(of):
            while True:
                try: client = of.accept()[0]
                except OSError: return
                threading.Thread(target=serve, args=(client,), daemon=True).start()

        def close(*sockets):
            for one in sockets:
                connections.discard(one)
                for end in (lambda: one.shutdown(socket.SHUT_RDWR), one.close):
                    try: end()
                    except OSError: pass

        def forward(source, target):
            try:
                while part := source.recv(65536):
                    if state == "well": target.sendall(part)
            except OSError: pass
            close(source, target)

        def serve(client):
            server = socket.socket(socket.AF_UNIX)
            server.connect(upstream + "/.s.PGSQL.5432")
            connections.update((client, server))
            threading.Thread(target=forward, args=(server, client), daemon=True).start()
            forward(client, server)

        def silent(*_):
            global state
            state = "silent"

        def refuse(*_):
            global state, listener
            state = "refused"
            if listener:
                os.unlink(path)
                close(listener)
                listener = None
            close(*list(connections))

        def mend(*_):
            global state
            if state == "silent": close(*list(connections))
            state = "well"
            listen()

        signal.signal(signal.SIGUSR1, silent)
        signal.signal(signal.SIGUSR2, refuse)
        signal.signal(signal.SIGHUP, mend)
        # Whoever starts a program from a thread that takes none leaves them blocked.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGUSR1, signal.SIGUSR2, signal.SIGHUP])
        listen()
        print("ready", flush=True)
        while True: signal.pause()
        """#
}
