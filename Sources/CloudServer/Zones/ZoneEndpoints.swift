import CloudModel
import CloudStore

/// The endpoints under `zones/` (reference A §7), one file per endpoint.
package enum ZoneEndpoints {}

extension JSONWriter {
    mutating func zone(_ state: ZoneState) {
        object {
            $0.key("zoneID")
            state.zone.write(to: &$0)
            $0.member("syncToken", state.syncToken)
            $0.member("atomic", state.zone.isCustom)
        }
    }
}

extension ZoneEndpoints {
    /// `zones/list` (reference A §7.1).
    package static let list: Endpoint = { call in
        let zones =
            switch try call.database() {
            case .public: try await call.store.zones(owner: ZoneID.publicOwner)
            case .private(let owner): try await call.store.zones(owner: owner)
            case .shared(let user): try await call.store.zones(sharedWith: user)
            }
        var writer = JSONWriter(capacity: 256 * zones.count + 32)
        writer.object {
            $0.key("zones")
            $0.array { for zone in zones { $0.zone(zone) } }
        }
        return writer
    }
}
