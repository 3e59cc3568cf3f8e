import Foundation
import TestPostgres
import TestProcess
import Testing

/// A proxy in front of PostgreSQL that can fail as servers and networks do, and cut connections in the middle of a COMMIT.
final class PostgresProxy: Sendable {
    enum Failure: String, CaseIterable {
        /// The server stands still: its connections are there, and nothing answers.
        case frozen
        /// Connections come about, and what is sent is dropped.
        case silent
        /// Connections are refused, and those there were are closed.
        case refused
    }

    /// The place of a cut: before the statement arrives, or before its answer does.
    enum Cut: String, CaseIterable { case before, after }

    /// The folder of its socket.
    let folder: String
    private let process: ChildProcess

    /// - Parameter folder: for its program, its socket and what it notes; its path must be short.
    init(in folder: String, to cluster: TestCluster) throws {
        self.folder = folder
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let line: String
        (process, line) = try ChildProcess.python(
            Self.program, at: URL(filePath: folder + "/proxy.py"), folder, cluster.socket)
        try #require(line == "ready")
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

    /// Cuts every third transaction that writes from now on; none when nil.
    func set(_ cut: Cut?) throws { try Data((cut?.rawValue ?? "").utf8).write(to: URL(filePath: folder + "/cut")) }

    /// The number of transactions that it has cut.
    var count: Int { FileManager.default.contents(atPath: folder + "/cuts")?.count ?? 0 }

    private static let program = #"""
        import os, signal, socket, struct, sys, threading

        folder, upstream = sys.argv[1:]
        path, state, connections, listener = folder + "/.s.PGSQL.5432", "well", set(), None
        lock, commits = threading.Lock(), 0

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

        def send(target, data):
            if state == "well": target.sendall(data)

        def answer(client, server, cut):
            try:
                while part := server.recv(65536):
                    if cut.is_set(): break
                    send(client, part)
            except OSError: pass
            close(client, server)

        def serve(client):
            server = socket.socket(socket.AF_UNIX)
            server.connect(upstream + "/.s.PGSQL.5432")
            connections.update((client, server))
            cut = threading.Event()
            threading.Thread(target=answer, args=(client, server, cut), daemon=True).start()
            writes = False
            try:
                size = take(client, 4)
                send(server, size + take(client, struct.unpack("!i", size)[0] - 4))
                while True:
                    head = take(client, 5)
                    body = take(client, struct.unpack("!i", head[1:])[0] - 4)
                    if head[:1] == b"Q" and b"RETURNING groups" in body: writes = True
                    if head[:1] == b"Q" and body == b"COMMIT\0" and writes:
                        writes = False
                        place = chosen()
                        if place == "before": break
                        if place == "after": cut.set()
                    send(server, head + body)
            except (EOFError, OSError): pass
            close(client, server)

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
