package import CloudAccounts
package import CloudHTTP
package import CloudWire
package import CloudModel

/// The test controls of a development server.
package struct Emulator: Sendable {
    /// The clock of the server's data, set by tests. Never jumps without `dev`.
    package var clock = SettableClock()
    /// Faults injected by tests; unused without `dev`.
    package var faults: FaultRules
    /// Checks client behaviour on a development server, if enabled.
    package var lint = ClientLint()

    /// - Parameter routes: all routes of the server.
    package init(routes: [RouteInfo]) {
        faults = FaultRules(routes: Set(routes.filter(FaultRule.isFor).map(\.name)).sorted())
    }
}

/// Lets the emulator observe clients and interfere with their requests.
package final class EmulatorHooks: TrafficObserver, Interference {
    package let emulator: Emulator
    package let accounts: AccountStore
    package let links: AssetLinks

    package init(_ emulator: Emulator, accounts: AccountStore, links: AssetLinks) {
        self.emulator = emulator
        self.accounts = accounts
        self.links = links
    }

    package var faults: FaultRules { emulator.faults }
}

extension WireService {
    /// The test controls; nil except on a development server.
    package var emulator: Emulator? { (interference as? EmulatorHooks)?.emulator }
}
