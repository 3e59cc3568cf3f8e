import NIOCore
import Synchronization

/// The open connections, and how many each address has.
///
/// State: both, under one lock, written when a connection opens and ends.
final class Connections: Sendable {
    /// One connection, as far as other threads may look at it.
    final class Connection: Sendable {
        /// The ``ClientAddress`` of the other end.
        let address: String?

        fileprivate init(address: String?) { self.address = address }
    }

    /// Connections one address may have; nil where a proxy's address stands for everybody's.
    let mostPerAddress: Int?
    private let state = Mutex<(open: [ObjectIdentifier: Connection], byAddress: [String: Int])>(([:], [:]))

    init(mostPerAddress: Int?) { self.mostPerAddress = mostPerAddress }

    /// - Returns: nil for a connection that its address has no room for.
    func open(_ channel: any Channel) -> Connection? {
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

    func close(_ channel: any Channel) {
        state.withLock { state in
            guard let connection = state.open.removeValue(forKey: ObjectIdentifier(channel)) else { return }
            guard mostPerAddress != nil, let address = connection.address else { return }
            let rest = state.byAddress[address, default: 0] - 1
            state.byAddress[address] = rest > 0 ? rest : nil
        }
    }

    /// Nil for requests of tests that have no connection.
    func connection(of channel: any Channel) -> Connection? {
        state.withLock { $0.open[ObjectIdentifier(channel)] }
    }
}
