package import NIOCore
import Synchronization

/// The open connections, counted by address.
///
/// State: connections and counts, under one lock.
package final class Connections: Sendable {
    /// A connection's address, readable from any thread.
    package final class Connection: Sendable {
        /// The client's ``ClientAddress``.
        package let address: String?

        fileprivate init(address: String?) { self.address = address }
    }

    /// Connections allowed per address; nil behind a proxy, whose address all clients share.
    let mostPerAddress: Int?
    private let state = Mutex<(open: [ObjectIdentifier: Connection], byAddress: [String: Int])>(([:], [:]))

    package init(mostPerAddress: Int?) { self.mostPerAddress = mostPerAddress }

    /// - Returns: nil if the address has reached its limit.
    package func open(_ channel: any Channel) -> Connection? {
        let address = ClientAddress(headers: [:], peer: channel.remoteAddress, trustForwardedFor: false)?.text
        return state.withLock { state in
            if let address, let mostPerAddress {
                guard state.byAddress[address, default: 0] < mostPerAddress else { return nil }
                state.byAddress[address, default: 0] += 1
            }
            let connection = Connection(address: address)
            state.open[ObjectIdentifier(channel)] = connection
            return connection
        }
    }

    package func close(_ channel: any Channel) {
        state.withLock { state in
            guard let connection = state.open.removeValue(forKey: ObjectIdentifier(channel)) else { return }
            guard mostPerAddress != nil, let address = connection.address else { return }
            let rest = state.byAddress[address, default: 0] - 1
            state.byAddress[address] = rest > 0 ? rest : nil
        }
    }

    /// Nil in tests without a socket.
    package func connection(of channel: any Channel) -> Connection? {
        state.withLock { $0.open[ObjectIdentifier(channel)] }
    }
}
