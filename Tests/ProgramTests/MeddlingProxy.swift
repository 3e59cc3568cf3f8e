import Foundation
import TestProcess
import Testing

/// A proxy in front of a server, which does to requests and answers what proxies that are set up wrongly do.
final class MeddlingProxy: Sendable {
    enum Fault: String, CaseIterable {
        case none, decodesPath, mergesSlashes, changesHost, passesClaimsOn, gathers, answersItself
    }

    let origin: String
    private let process: ChildProcess
    private let upstream: URL

    /// - Parameter folder: for its program, and for the file that says where it leads.
    init(in folder: URL, _ fault: Fault) async throws {
        upstream = folder.appending(path: "upstream")
        let port: String
        (process, port) = try ChildProcess.python(
            Self.program, at: folder.appending(path: "proxy.py"), fault.rawValue, upstream.path())
        origin = "http://127.0.0.1:\(try #require(UInt16(port)))"
    }

    deinit { process.send(SIGKILL) }

    func lead(to origin: String) throws {
        try Data((URL(string: origin)?.port.map(String.init) ?? "").utf8).write(to: upstream)
    }

    private static let program = #"""
        import re, socket, sys, urllib.parse

        fault, upstream = sys.argv[1:]

        def head(connection):
            data = b""
            while b"\r\n\r\n" not in data:
                part = connection.recv(65536)
                if not part: return None
                data += part
            return data

        def serve(client):
            data = head(client)
            if data is None: return
            if fault == "answersItself":
                client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
                return
            top, rest = data.decode("latin-1").split("\r\n\r\n", 1)
            first, *fields = top.split("\r\n")
            method, target, version = first.split(" ")
            if fault == "decodesPath": target = urllib.parse.unquote(target).replace(" ", "+")
            if fault == "mergesSlashes": target = re.sub("/+", "/", target)
            dropped = {"connection"}
            if fault == "changesHost": dropped.add("host")
            if fault != "passesClaimsOn": dropped.add("x-forwarded-for")
            fields = [field for field in fields if field.split(":")[0].lower() not in dropped]
            fields.append("Connection: close")
            if fault == "changesHost": fields.append("Host: backend")
            if fault != "passesClaimsOn": fields.append("X-Forwarded-For: 198.51.100.7")
            with socket.create_connection(("127.0.0.1", int(open(upstream).read()))) as server:
                server.sendall("\r\n".join([f"{method} {target} {version}"] + fields + ["", rest]).encode("latin-1"))
                gathered = b""
                while part := server.recv(65536):
                    if fault == "gathers": gathered += part
                    else: client.sendall(part)
                client.sendall(gathered)

        listener = socket.create_server(("127.0.0.1", 0))
        print(listener.getsockname()[1], flush=True)
        while True:
            client = listener.accept()[0]
            with client: serve(client)
        """#
}
