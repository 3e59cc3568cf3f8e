package import CloudHTTP

/// The menu of languages at the foot of a page: a form that asks for the same page with `?lang=`.
package struct LanguageSwitch: PageView {
    let path: String
    /// The other fields of the page's query.
    let fields: [FilledField]

    /// - Returns: nil for the answer to a form, which another request would not repeat, and for the console.
    package init?(_ request: Request) {
        guard request.method == .get, !Site.isConsole(request.path) else { return nil }
        path = String(request.path)
        let query = FormFields(request.query.utf8)
        fields = query.names.subtracting([Site.languageField]).sorted().flatMap { name in
            query.all(name).map { FilledField(name: name, value: $0) }
        }
    }
}

extension Site {
    package static let languageField = "lang"
    package static let languageCookie = "cumulus_lang"
    private static let languageLifetime = Duration.seconds(365 * 86400)

    static func isConsole(_ path: Substring) -> Bool { path == "/console" || path.hasPrefix("/console/") }

    /// The language for a request; English for the console.
    ///
    /// - Parameter link: the tag of the language of the link that is asked for; nil for none.
    package func language(of request: Request, link: String? = nil) -> PageLanguage {
        if Self.isConsole(request.path) { return .english }
        return languages.choose(
            asked: FormFields(request.query.utf8)[Self.languageField],
            kept: origin.cookie(Self.languageCookie, of: request), accepted: request.headers[.acceptLanguage],
            otherwise: link.flatMap(languages.named) ?? defaultLanguage)
    }

    /// Keeps the language that the request asked for.
    package func keepLanguage(of request: Request, in response: inout Response) {
        guard let asked = FormFields(request.query.utf8)[Self.languageField], asked.utf8.count <= 35,
            let language = languages.named(asked)
        else { return }
        response.setCookie(
            origin.cookie(
                Self.languageCookie, language.tag, for: request,
                maxAge: Int(Self.languageLifetime.components.seconds)))
    }
}
