import HTTPTypes

/// The paths of the server's own pages and what answers each, by method. A GET answers HEAD as well.
enum PageRoutes {
    /// `{name}` stands for one part of a path that is not empty.
    static let table: [(pattern: String, endpoints: [HTTPRequest.Method: PageEndpoint])] =
        [
            ("/static/{digest}/{name}", [.get: StaticFiles.endpoint]),
            ("/auth/signin", [.get: SignInPage.show, .post: SignInForm.submit]),
            ("/auth/signout", [.get: SignOutPage.show, .post: SignOutPage.submit]),
            ("/auth/register", [.get: RegistrationPages.show, .post: RegistrationPages.submit]),
            ("/auth/confirm", [.get: RegistrationPages.showCode, .post: RegistrationPages.submitCode]),
        ] + SharePageRoutes.table

    private static let patterns = table.map { row in
        (
            pattern: row.pattern, parts: row.pattern.split(separator: "/", omittingEmptySubsequences: false),
            endpoints: row.endpoints
        )
    }

    static func match(
        _ path: Substring
    ) -> (pattern: String, endpoints: [HTTPRequest.Method: PageEndpoint], parameters: [String])? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        for row in patterns where row.parts.count == parts.count {
            if let parameters = parameters(of: parts, in: row.parts) { return (row.pattern, row.endpoints, parameters) }
        }
        return nil
    }

    private static func parameters(of parts: [Substring], in pattern: [Substring]) -> [String]? {
        var parameters: [String] = []
        for (part, expected) in zip(parts, pattern) {
            if expected.hasPrefix("{") {
                guard !part.isEmpty else { return nil }
                parameters.append(PercentEncoding.decode(part.utf8))
            } else if part != expected {
                return nil
            }
        }
        return parameters
    }
}
