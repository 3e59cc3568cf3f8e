package import CloudModel
import CloudStore

extension ShareEndpoints {
    /// `POST /share/{id}/request-access`: a signed-in person asks a share's owner for access (reference B §9.10).
    /// An addition: CloudKit has no such endpoint.
    package static func requestAccess(_ handle: String, _ call: DatabaseCall) async throws -> JSONWriter {
        let person = try await call.sharingPerson()
        try await call.store.shares.requestAccess(to: handle, as: person, limits: call.limits)
        var writer = JSONWriter(capacity: 32)
        writer.object { $0.member("requested", true) }
        return writer
    }
}
