import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A bare TCP connection, for what no well-behaved client would send. Every step has a time limit.
package final class Wire: @unchecked Sendable {
    // One test at a time holds a wire.
    private let descriptor: Int32

    /// A step that failed, with its `errno`.
    package struct Failure: Error {
        package let what: String
        package let code: Int32
    }

    /// Connects to the loopback.
    ///
    /// - Parameters:
    ///   - seconds: how long any step may take.
    ///   - room: bytes the system keeps of what was not read yet, about; as many as it likes without one.
    package init(port: Int, seconds: Int = 120, room: Int? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(what: "socket", code: errno) }
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        if var room = room.map(Int32.init) {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure(what: "connect", code: errno) }
    }

    deinit { close(descriptor) }

    package func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    package func send(_ bytes: [UInt8]) async throws {
        try await Self.aside { try self.write(bytes) }
    }

    /// Sends as soon as nobody listens at `port` any more. One step, because the server has little time left then.
    package func send(_ text: String, onceRefusedAt port: Int) async throws {
        try await Self.aside {
            while (try? Wire(port: port)) != nil { Thread.sleep(forTimeInterval: 0.01) }
            try self.write(Array(text.utf8))
        }
    }

    /// Sends a last text and that nothing follows it, in one segment: nobody sees the one without the other.
    package func sendLast(_ text: String) async throws {
        try await Self.aside { try self.write(Array(text.utf8), Int32(MSG_MORE)) }
        finishSending()
    }

    private func write(_ bytes: [UInt8], _ flags: Int32 = 0) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | flags)
            }
            guard count > 0 else { throw Failure(what: "send", code: errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Nothing more will be sent; answers can still come.
    package func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Everything until the server closes.
    ///
    /// - Throws: when the time is up first. A reset connection is a closed one.
    package func readAll() async throws -> String {
        try await Self.aside {
            var bytes = Array(self.text.utf8)
            self.text = ""
            while let more = try self.readSome() { bytes += more }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// The head of an answer. What came with it of the body is the beginning of what is read next.
    package func readHead() async throws -> String {
        try await Self.aside {
            while true {
                if let end = self.text.range(of: "\r\n\r\n") {
                    defer { self.text = String(self.text[end.upperBound...]) }
                    return String(self.text[..<end.lowerBound])
                }
                guard let more = try self.readSome() else { throw Failure(what: "closed before an answer", code: 0) }
                self.text += String(decoding: more, as: UTF8.self)
            }
        }
    }

    /// Reads the body of an answer whose head was read, and forgets it.
    package func skipBody(of head: String) async throws {
        try await Self.aside {
            var missing = Self.length(in: head) - self.text.utf8.count
            self.text = ""
            while missing > 0 {
                guard let more = try self.readSome() else { throw Failure(what: "closed in a body", code: 0) }
                missing -= more.count
            }
        }
    }

    /// Reads and forgets up to a number of bytes, as many as are there.
    ///
    /// - Returns: false once the server has closed.
    package func skip(atMost count: Int) async throws -> Bool {
        try await Self.aside {
            self.text = ""
            return try self.readSome(atMost: count) != nil
        }
    }

    /// The text before the next occurrence of `end`, which is passed over.
    package func read(until end: String) async throws -> String {
        try await Self.aside {
            while true {
                if let range = self.text.range(of: end) {
                    defer { self.text = String(self.text[range.upperBound...]) }
                    return String(self.text[..<range.lowerBound])
                }
                guard let more = try self.readSome() else {
                    throw Failure(what: "closed after \(self.text.suffix(200))", code: 0)
                }
                self.text += String(decoding: more, as: UTF8.self)
            }
        }
    }

    /// One answer with a Content-Length, its head first.
    package func readAnswer() async throws -> (head: String, body: String) {
        try await Self.aside { try self.readOne() }
    }

    private func readOne() throws -> (head: String, body: String) {
        while true {
            if let end = text.range(of: "\r\n\r\n") {
                let head = String(text[..<end.lowerBound])
                let length = Self.length(in: head)
                if text[end.upperBound...].utf8.count >= length {
                    let body = String(decoding: text[end.upperBound...].utf8.prefix(length), as: UTF8.self)
                    text = String(decoding: text[end.upperBound...].utf8.dropFirst(length), as: UTF8.self)
                    return (head, body)
                }
            }
            guard let more = try readSome() else { throw Failure(what: "closed after \(text.prefix(200))", code: 0) }
            text += String(decoding: more, as: UTF8.self)
        }
    }

    private var text = ""

    /// Waits on a thread of its own: the server under test needs those that tasks run on.
    private static func aside<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
        }
    }

    private func readSome(atMost most: Int = 65536) throws -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: most)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count > 0 { return Array(buffer.prefix(count)) }
        if count == 0 || errno == ECONNRESET { return nil }
        throw Failure(what: "nothing came", code: errno)
    }

    private static func length(in head: String) -> Int {
        let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
        return line.flatMap { Int($0.split(separator: ":")[1].trimmingCharacters(in: .whitespaces)) } ?? 0
    }
}
