package import CloudModel
package import CloudStore

/// Endpoints under `zones/` (reference A §7), one file per endpoint.
package enum ZoneEndpoints {}

extension JSONWriter {
    package mutating func zone(_ state: ZoneState) {
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
    package static let list: ReadEndpoint = { call in
        let read =
            switch try call.database() {
            case .public: call.store.zones.read(owner: ZoneID.publicOwner)
            case .private(let owner): call.store.zones.read(owner: owner)
            case .shared(let user): call.store.zones.read(sharedWith: user)
            }
        return read.map { zones in
            var writer = JSONWriter(capacity: 256 * zones.count + 32)
            writer.object {
                $0.key("zones")
                $0.array { for zone in zones { $0.zone(zone) } }
            }
            return writer
        }
    }
}
