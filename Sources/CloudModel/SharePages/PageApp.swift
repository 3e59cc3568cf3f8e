/// A page's app, and the way to open it.
package struct PageApp: Hashable, Sendable {
    /// The app's name, for the button that opens it.
    package let name: String
    /// A URL in the app's own scheme, with `{id}` for the page's ID: `vacationphotos://share/{id}`.
    package let url: PageTemplate?
    /// The app's number in the App Store, for the banner on Apple devices.
    package let storeID: String?
    /// Apps that open links to these pages, by team and bundle: `TEAM123456.com.example.app`.
    package let appIDs: [String]

    /// Schemes that execute code or open files in browsers.
    private static let refusedSchemes: Set<String> = ["javascript", "data", "vbscript", "file", "blob", "about"]

    init(_ object: JSONObject) throws(ServerError) {
        let reader = RuleReader(object, path: "app.")
        try reader.refuseOthers(than: ["name", "url", "storeId", "appIds"])
        name = try reader.text("name")
        url = try reader.optionalText("url").map { (text) throws(ServerError) in try Self.url(text) }
        storeID = try reader.optionalText("storeId")
        if let storeID, storeID.isEmpty || !storeID.utf8.allSatisfy(Self.isDigit) {
            throw .badRequest("app.storeId: must be digits")
        }
        appIDs = try reader.texts("appIds", limit: 20)
        for id in appIDs where !Self.isAppID(id) {
            throw .badRequest("app.appIds: '\(Naming.shown(id))' is not of the form TEAM123456.com.example.app")
        }
    }

    private static func url(_ text: String) throws(ServerError) -> PageTemplate {
        let template = try PageTemplate(text, path: "app.url")
        let scheme = text.prefix { $0 != ":" }.lowercased()
        guard text.contains("://"), scheme.utf8.first.map(isLetter) == true,
            scheme.utf8.allSatisfy({ isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }),
            !refusedSchemes.contains(scheme)
        else { throw .badRequest("app.url: must begin with a scheme of the app's own and '://'") }
        for case .field(let name) in template.parts where name != "id" {
            throw .badRequest("app.url: '{\(Naming.shown(name))}' is unknown; '{id}' is the page's id")
        }
        return template
    }

    private static func isAppID(_ text: String) -> Bool {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0].utf8.count == 10 && parts[0].utf8.allSatisfy { isLetter($0) || isDigit($0) }
            && !parts[1].isEmpty
            && parts[1].utf8.allSatisfy { isLetter($0) || isDigit($0) || "-.".utf8.contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    var json: JSONValue {
        .object(
            JSONObject(
                [
                    .init(key: "name", value: .string(name)),
                    url.map { .init(key: "url", value: .string($0.source)) },
                    storeID.map { .init(key: "storeId", value: .string($0)) },
                    .init(key: "appIds", value: .array(appIDs.map(JSONValue.string))),
                ].compactMap(\.self)))
    }
}
