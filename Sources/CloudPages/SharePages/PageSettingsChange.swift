import CloudAccounts
import CloudHTTP
import CloudModel
import CloudStore

/// A change of page settings from JSON: listed members change, `null` clears a setting, and absent members stay.
struct PageSettingsChange {
    private static let members: Set<String> = [
        "expiresAt", "password", "items", "takenDown", "deleteAfterExpiry", "downloads", "language", "layout",
        "places",
    ]
    static let mostItems = 5000

    private let body: JSONObject

    /// - Throws: `BAD_REQUEST` for an unknown member, which would otherwise be ignored silently.
    init(_ body: JSONObject) throws(ServerError) {
        for member in body.members where !Self.members.contains(member.key) {
            throw .badRequest(
                "\(Naming.shown(member.key)): unknown member; known are \(known: Self.members.sorted().joined(separator: ", "))"
            )
        }
        self.body = body
    }

    /// - Throws: `BAD_REQUEST` with the name of the invalid member.
    func apply(to link: inout PageSettings, accounts: AccountStore, languages: Languages) async throws {
        if body.contains("expiresAt") { link.expires = try expiry() }
        if body.contains("items") { link.items = try items() }
        if let flag = try flag("takenDown") { link.isTakenDown = flag }
        if body.contains("downloads") { link.downloads = try downloads() }
        if body.contains("language") { link.language = try language(languages) }
        if body.contains("layout") { link.layout = try layout() }
        if let flag = try flag("places") { link.showsPlaces = flag }
        if let flag = try flag("deleteAfterExpiry") { link.deletesAfterExpiry = flag }
        guard !link.deletesAfterExpiry || link.expires != nil else {
            throw ServerError.badRequest("deleteAfterExpiry: needs an expiresAt")
        }
        guard body.contains("password") else { return }
        let password = try body["password"].map { (value) throws(ServerError) in
            guard let text = value.string else {
                throw .badRequest("password: must be a string or null, not \(known: value.kind)")
            }
            return text
        }
        try await accounts.pagePasswords.set(password, of: &link)
    }

    private func expiry() throws(ServerError) -> Timestamp? {
        guard let value = body["expiresAt"] else { return nil }
        guard let milliseconds = value.integer, milliseconds > 0 else {
            throw .badRequest("expiresAt: must be milliseconds since 1970, or null")
        }
        return Timestamp(milliseconds: milliseconds)
    }

    private func language(_ languages: Languages) throws(ServerError) -> String? {
        guard let value = body["language"] else { return nil }
        guard let language = value.string.flatMap(languages.named) else {
            let known = languages.all.map(\.tag).joined(separator: ", ")
            throw .badRequest("language: must be one of \(known: known), or null")
        }
        return language.tag
    }

    private func downloads() throws(ServerError) -> PageDownloads {
        guard let value = body["downloads"] else { return .originals }
        guard let downloads = value.string.flatMap(PageDownloads.init(rawValue:)) else {
            let known = PageDownloads.allCases.map(\.rawValue).joined(separator: ", ")
            throw .badRequest("downloads: must be one of \(known: known), or null")
        }
        return downloads
    }

    private func layout() throws(ServerError) -> PageLayout {
        guard let value = body["layout"] else { return .automatic }
        guard let layout = value.string.flatMap(PageLayout.init(rawValue:)) else {
            let known = PageLayout.allCases.map(\.rawValue).joined(separator: ", ")
            throw .badRequest("layout: must be one of \(known: known), or null")
        }
        return layout
    }

    private func items() throws(ServerError) -> [String]? {
        guard let value = body["items"] else { return nil }
        guard let elements = value.array, (1...Self.mostItems).contains(elements.count) else {
            throw .badRequest("items: must be an array of 1 to \(Self.mostItems) record names, or null for all")
        }
        var items: [String] = []
        for element in elements {
            guard let name = element.string, Naming.fault(recordName: name, limit: 255) == nil else {
                throw .badRequest("items: must hold record names")
            }
            items.append(name)
        }
        return items
    }

    private func flag(_ key: String) throws(ServerError) -> Bool? {
        guard body.contains(key) else { return nil }
        guard let value = body[key]?.bool else { throw .badRequest("\(known: key): must be true or false") }
        return value
    }
}
