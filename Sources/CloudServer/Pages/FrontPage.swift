import CloudModel

/// `GET /`: describes the server, in HTML for browsers and in JSON for programs.
enum FrontPage {
    /// - Parameter hasVersion: whether the answer includes the program's version.
    static func respond(_ request: Request, site: Site, hasVersion: Bool) throws -> Response {
        guard request.headers.acceptPages else {
            var writer = JSONWriter(capacity: 64)
            writer.object {
                $0.member("name", "Cumulus")
                if hasVersion { $0.member("version", ProgramVersion.text) }
                $0.key("links")
                $0.object {
                    $0.member("health", "/health")
                    if site.hasConsole { $0.member("console", "/console") }
                }
            }
            var response = Response.json(writer)
            response.headers[.cacheControl] = "no-store"
            return response
        }
        return try site.page(
            View(
                version: hasVersion ? ProgramVersion.text : nil, isDevelopment: site.isDevelopment,
                hasConsole: site.hasConsole,
                origin: site.origin.text(authority: request.head.authority)))
    }

    struct View: WebPage {
        static let template = "front"

        let title = "Cumulus"
        let version: String?
        let isDevelopment: Bool
        let hasConsole: Bool
        let origin: String
    }
}

extension HTTPFields {
    /// True for a browser's request for a page.
    var acceptPages: Bool { self[.accept]?.lowercased().contains("text/html") == true }
}
