import CloudPages
import CloudHTTP
import CloudWire
import CloudModel
import CloudOperations

/// `/console/api`: code samples that read and write a type, in curl, JavaScript and Swift.
enum APIView {
    static func address(_ spot: DataSpot, type: String, _ language: APIPreview.Language = .curl) -> String {
        spot.address("/console/api", type: type, [("language", language == .curl ? nil : language.rawValue)])
    }

    static let show: ConsoleEndpoint = { call in
        let spot = DataSpot(place: try await call.requirePlace(), query: call.query)
        let types = try await call.schema(of: spot.place).types
        let type = try spot.type ?? types.keys.sorted().first { $0 != DataTypes.users } ?? call.query.text("type")
        guard let definition = types[type] else {
            throw ServerError(
                .notFound, "there is no record type '\(Naming.shown(type))'", .schema(.unknownType))
        }
        let language = call.query["language"].flatMap(APIPreview.Language.init) ?? .curl
        let preview = APIPreview(
            origin: call.page.site.origin.text(authority: call.page.request.head.authority), spot: spot, type: type,
            definition: definition,
            apiToken: hasToken(call, spot.place) ? DevelopmentToken.text : nil)
        let content = Content(
            type: type, database: try await spot.description(call), back: spot.address(type: type),
            tabs: APIPreview.Language.allCases.map {
                ConsoleTab(
                    label: $0.title, address: address(spot, type: type, $0), isCurrent: $0 == language)
            },
            credentials: preview.apiToken == nil ? SettingsTab.credentials.path : nil, parts: preview.parts(language))
        return try call.render(content, title: "API of \(type)", view: .data, place: spot.place)
    }

    /// Returns true where the development token works.
    private static func hasToken(_ call: ConsoleCall, _ place: ConsolePlace) -> Bool {
        DevelopmentToken.works(
            DevelopmentToken.text, dev: call.page.site.isDevelopment, environment: place.environment)
    }

    struct Content: ConsoleContent {
        static let template = "console-api"

        let type: String
        let database: String
        /// The address of the type's table.
        let back: String
        let tabs: [ConsoleTab]
        /// The page that creates tokens; nil on a development server, which has a token.
        let credentials: String?
        let parts: [APIPreview.Part]

        init(
            type: String, database: String, back: String, tabs: [ConsoleTab], credentials: String?,
            parts: [APIPreview.Part]
        ) {
            self.type = type
            self.database = database
            self.back = back
            self.tabs = tabs
            self.credentials = credentials
            self.parts = parts
        }
    }
}
