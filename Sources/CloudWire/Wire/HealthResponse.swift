import CloudEngine
package import CloudHTTP
import CloudModel
package import CloudStore

/// Answers of `/health` and `/ready`.
package enum HealthResponse {
    /// Listed troubles per answer; further troubles are counted.
    private static let most = 100

    /// - Parameter hasVersion: true if the caller may see the program's version.
    package static func make(_ troubles: [Trouble], hasVersion: Bool) -> Response {
        if troubles.isEmpty { return hasVersion ? wellWithVersion : well }
        return made(troubles, hasVersion: hasVersion)
    }

    private static let well = made([], hasVersion: false)
    private static let wellWithVersion = made([], hasVersion: true)

    private static func made(_ troubles: [Trouble], hasVersion: Bool) -> Response {
        var writer = JSONWriter(capacity: 256)
        writer.object {
            $0.member("status", troubles.isEmpty ? "ok" : "unwell")
            if hasVersion {
                $0.member("version", ProgramVersion.text)
                $0.member("commit", ProgramVersion.commit)
            }
            if troubles.isEmpty { return }
            $0.key("troubles")
            $0.array { array in
                for trouble in troubles.prefix(most) {
                    array.object {
                        $0.member("what", trouble.kind.rawValue)
                        $0.member("container", trouble.container)
                        $0.member("environment", trouble.environment?.rawValue)
                        $0.member("reason", trouble.reason)
                    }
                }
            }
            if troubles.count > most { $0.member("more", Int64(troubles.count - most)) }
        }
        var response = Response.json(writer, status: troubles.isEmpty ? .ok : .serviceUnavailable)
        response.headers[.cacheControl] = "no-store"
        return response
    }
}
