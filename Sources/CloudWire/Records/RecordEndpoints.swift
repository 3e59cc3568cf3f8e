import CloudHTTP
package import CloudModel
package import CloudStore

/// Endpoints under `records/` (reference A §4–§6, §8.2), one file per endpoint.
package enum RecordEndpoints {}

extension JSONWriter {
    /// Writes the error of one record within a successful answer (reference A §9.1).
    mutating func recordError(_ recordName: String, _ error: ServerError) {
        object {
            $0.member("recordName", recordName)
            $0.errorMembers(error)
        }
    }
}

extension DatabaseCall {
    /// The zone's sync token; nil unless requested (reference A §1.3).
    func currentSyncToken(of zone: ZoneID) async throws -> String? {
        guard options.getCurrentSyncToken else { return nil }
        return try await store.zones.list([zone], for: identity.caller).first??.syncToken
    }

    /// Writes the answer object of a read, with the zone's sync token if requested (reference A §1.3).
    ///
    /// - Parameters:
    ///   - size: estimates the answer's bytes.
    ///   - members: writes the members of the answer object.
    package func read<Found: Sendable>(
        _ read: StoreRead<Found>, zone: ZoneID, size: @escaping @Sendable (Found) -> Int,
        _ members: @escaping @Sendable (Found, inout JSONWriter) throws -> Void
    ) -> StoreRead<JSONWriter> {
        let write = { @Sendable (found: Found, token: String?) in
            var writer = JSONWriter(capacity: size(found))
            try writer.object {
                try members(found, &$0)
                $0.member("syncToken", token)
            }
            return writer
        }
        guard options.getCurrentSyncToken else { return read.map { try write($0, nil) } }
        return read.then { [store, caller = identity.caller] found in
            store.zones.read([zone], for: caller).map { try write(found, $0.first??.syncToken) }
        }
    }
}
