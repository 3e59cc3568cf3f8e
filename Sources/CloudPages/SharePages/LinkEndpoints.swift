package import CloudAccounts
package import CloudHTTP
package import CloudWire
package import CloudModel
import CloudStore
import Foundation
import NIOCore

/// `/share/1/{container}/{environment}/links`: a user's shares and pages, for the user's own programs.
///
/// Requires an API token and a web auth token, as in the private database.
package enum LinkEndpoints {
    /// A request for the list or a single link.
    package struct Call: Sendable {
        package let database: DatabaseCall
        package let site: Site
        /// Scheme and host of link URLs.
        package let origin: String
        package let owner: String
        package let query: FormFields

        package var container: Container { database.identity.container }
    }

    /// Endpoints of a single link by method, given the ID of its share or record.
    package static let one: [HTTPRequest.Method: @Sendable (_ id: String) -> LinkEndpoint] = [
        .get: { id in { try await get(id, $0) } },
        .put: { id in { try await put(id, $0) } },
        .delete: { id in { try await delete(id, $0) } },
    ]

    /// Authenticates the request and runs the endpoint.
    package static func respond(
        _ request: Request, _ context: CloudRequestContext, _ place: RequestPlace, _ site: Site,
        _ endpoint: @escaping LinkEndpoint
    ) async throws -> Response {
        let entry = DatabaseEntry(request, context, place, .private, site.wire, makesUser: false)
        let answer: Endpoint = { database in
            guard let owner = database.identity.caller.userRecordName else { throw Authenticator.signInNeeded }
            let call = Call(
                database: database, site: site, origin: site.origin.text(authority: request.head.authority),
                owner: owner, query: FormFields(request.query.utf8))
            return try await endpoint(call)
        }
        return try await entry.reply(.work(answer)).response()
    }

    /// `GET …/links`: the caller's shares, then the caller's public records with a page rule.
    @Sendable package static func list(_ call: Call) async throws -> JSONWriter {
        let limit = min(100, max(1, call.query["resultsLimit"].flatMap { Int($0) } ?? 50))
        let (links, next) = try await OwnPages(call: call).page(
            after: call.query["continuationMarker"], limit: limit)
        var writer = JSONWriter()
        writer.object {
            $0.key("links")
            $0.array { for link in links { link.write(to: &$0, call) } }
            $0.member("continuationMarker", next)
        }
        return writer
    }

    /// `GET …/links/{id}`.
    package static func get(_ id: String, _ call: Call) async throws -> JSONWriter {
        written(try await own(id, call), call)
    }

    /// `PUT …/links/{id}`: changes the listed settings and keeps the rest; `null` clears a setting.
    package static func put(_ id: String, _ call: Call) async throws -> JSONWriter {
        var own = try await own(id, call)
        var link = own.link ?? PageSettings(id: own.id, owner: call.owner)
        try await PageSettingsChange(call.database.body).apply(
            to: &link, accounts: call.site.accounts, languages: call.site.languages)
        try await call.database.store.pageSettings.save(link)
        own.link = link
        return written(own, call)
    }

    /// `DELETE …/links/{id}`: resets all settings. Sharing itself continues.
    package static func delete(_ id: String, _ call: Call) async throws -> JSONWriter {
        var own = try await own(id, call)
        try await call.database.store.pageSettings.delete(own.id, owner: call.owner)
        own.link = nil
        return written(own, call)
    }

    /// - Throws: `NOT_FOUND` for other users' links, as for missing links.
    private static func own(_ id: String, _ call: Call) async throws -> OwnPage {
        guard let own = try await OwnPages(call: call).find(id) else {
            throw ServerError(.notFound, "you have no share or page with this id", .missing(.page))
        }
        return own
    }

    private static func written(_ own: OwnPage, _ call: Call) -> JSONWriter {
        var writer = JSONWriter()
        own.write(to: &writer, call)
        return writer
    }
}

/// An endpoint for a user's own links.
package typealias LinkEndpoint = @Sendable (LinkEndpoints.Call) async throws -> JSONWriter

/// A share or public record of the caller, with its page settings.
struct OwnPage: Sendable {
    let id: String
    let title: String
    /// The record type; `cloudkit.share` for a share.
    let recordType: String
    let created: Timestamp
    var link: PageSettings?

    func write(to writer: inout JSONWriter, _ call: LinkEndpoints.Call) {
        let now = call.site.time
        writer.object {
            $0.member("id", id)
            $0.member("url", call.origin + SharedPage.path(of: id))
            $0.member("title", title)
            $0.member("recordType", recordType)
            $0.member("created", created.milliseconds)
            $0.member("state", state(now))
            if let expires = link?.expires { $0.member("expiresAt", expires.milliseconds) }
            $0.member("hasPassword", link?.hasPassword ?? false)
            $0.member("takenDown", link?.isTakenDown ?? false)
            $0.member("deleteAfterExpiry", link?.deletesAfterExpiry ?? false)
            $0.member("places", link?.showsPlaces ?? false)
            $0.member("language", link?.language)
            $0.member("layout", (link?.layout ?? .automatic).rawValue)
            $0.member("downloads", (link?.downloads ?? .originals).rawValue)
            guard let items = link?.items else { return }
            $0.key("items")
            $0.array { for item in items { $0.string(item) } }
        }
    }

    private func state(_ now: Timestamp) -> String {
        guard let link else { return "OPEN" }
        if link.isTakenDown { return "TAKEN_DOWN" }
        return link.hasExpired(at: now) ? "EXPIRED" : "OPEN"
    }
}
