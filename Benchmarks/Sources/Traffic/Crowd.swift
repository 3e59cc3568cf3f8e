import CEpoll
import Foundation
import Glibc
import Synchronization

/// Thousands of connections that mostly wait, on one thread: what a client's threads and tasks cost is not measured.
package final class Crowd: Sendable {
    /// What came in by a connection; the handler takes away what it has understood.
    ///
    /// - Returns: what to send next, if anything.
    package typealias Handler = @Sendable (_ connection: Int, _ received: inout [UInt8]) -> [UInt8]?

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private struct Orders {
        var toSend: [(connection: Int, bytes: [UInt8])] = []
        var isOver = false
    }

    private let descriptors: [Int32]
    private let handler: Handler
    private let orders = Mutex(Orders())
    private let lost = Atomic(0)
    /// A byte in it tells the thread that there are orders: it sleeps meanwhile, however many connections it has.
    private let bell: (out: Int32, into: Int32)

    /// Connects to a port of the loopback.
    package init(_ count: Int, port: Int, handler: @escaping Handler) throws {
        Self.allowDescriptors(count + 100)
        self.handler = handler
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure(description: "no more pipes: \(errno)") }
        bell = (ends[0], ends[1])
        descriptors = try (0..<count).map { _ in try Self.connected(to: port) }
        Thread.detachNewThread { [self] in run() }
    }

    /// Connections that the other side has ended.
    package var ended: Int { lost.load(ordering: .relaxed) }

    /// Sends by each connection what `bytes` says.
    package func send(_ bytes: (Int) -> [UInt8]) {
        let all = descriptors.indices.map { (connection: $0, bytes: bytes($0)) }
        orders.withLock { $0.toSend += all }
        ring()
    }

    /// Ends all connections.
    package func hangUp() {
        orders.withLock { $0.isOver = true }
        ring()
    }

    private func ring() {
        var byte: UInt8 = 1
        _ = Glibc.write(bell.into, &byte, 1)
    }

    // MARK: The thread

    private func run() {
        // It costs the ready ones only: a look at thousands each time would take a core from the server.
        let watched = epoll_create1(0)
        for (index, descriptor) in (descriptors + [bell.out]).enumerated() {
            var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: UInt64(index)))
            epoll_ctl(watched, EPOLL_CTL_ADD, descriptor, &event)
        }
        var ready = [epoll_event](repeating: epoll_event(), count: 256)
        var received = Array(repeating: [UInt8](), count: descriptors.count)
        var buffer = [UInt8](repeating: 0, count: 65536)
        // What answers that have come ask to be sent. One thread stands for clients that would not wait for each other, so
        // it is sent once all has been read that is there.
        var next: [(connection: Int, bytes: [UInt8])] = []
        while true {
            let (toSend, isOver) = orders.withLock { orders in
                defer { orders.toSend = [] }
                return (orders.toSend, orders.isOver)
            }
            if isOver { break }
            for order in toSend { write(order.bytes, descriptors[order.connection]) }
            let count = epoll_wait(watched, &ready, Int32(ready.count), next.isEmpty ? -1 : 0)
            if count <= 0 {
                for order in next { write(order.bytes, descriptors[order.connection]) }
                next.removeAll(keepingCapacity: true)
                continue
            }
            for event in ready[..<Int(count)] {
                let index = Int(event.data.u64)
                guard index < descriptors.count else {
                    _ = read(bell.out, &buffer, 64)
                    continue
                }
                let count = recv(descriptors[index], &buffer, buffer.count, 0)
                guard count > 0 else {
                    // One that is not looked at any more.
                    epoll_ctl(watched, EPOLL_CTL_DEL, descriptors[index], nil)
                    lost.add(1, ordering: .relaxed)
                    continue
                }
                received[index] += buffer[..<count]
                while let answer = handler(index, &received[index]) {
                    next.append((index, answer))
                    if received[index].isEmpty { break }
                }
            }
        }
        for descriptor in descriptors + [bell.out, bell.into, watched] { close(descriptor) }
    }

    /// Requests are small: one that does not fit into a socket's buffer means that nobody reads there.
    private func write(_ bytes: [UInt8], _ descriptor: Int32) {
        if Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) < bytes.count {
            lost.add(1, ordering: .relaxed)
        }
    }

    // MARK: Connecting

    private static func connected(to port: Int) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(description: "no more sockets: \(errno)") }
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            defer { close(descriptor) }
            throw Failure(description: "cannot connect to port \(port): \(errno)")
        }
        return descriptor
    }

    private static func allowDescriptors(_ count: Int) {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = max(limit.rlim_cur, min(rlim_t(count), limit.rlim_max))
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
