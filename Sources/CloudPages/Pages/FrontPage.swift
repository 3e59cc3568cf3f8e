package import CloudHTTP
import CloudModel

/// `GET /`: describes the server, in HTML for browsers and in JSON for programs.
package enum FrontPage {
    /// - Parameter hasVersion: whether the answer includes the program's version.
    package static func respond(_ request: Request, site: Site, hasVersion: Bool) throws -> Response {
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
        var response = try site.page(
            View(
                version: hasVersion ? ProgramVersion.text : nil, isDevelopment: site.isDevelopment,
                hasConsole: site.hasConsole,
                origin: site.origin.text(authority: request.head.authority)), in: site.language(of: request),
            of: request)
        site.keepLanguage(of: request, in: &response)
        return response
    }

    package struct View: WebPage {
        package static let template = "front"

        package let title = "Cumulus"
        package let version: String?
        package let isDevelopment: Bool
        package let hasConsole: Bool
        package let origin: String

        package init(version: String?, isDevelopment: Bool, hasConsole: Bool, origin: String) {
            self.version = version
            self.isDevelopment = isDevelopment
            self.hasConsole = hasConsole
            self.origin = origin
        }
    }
}
