import CloudModel

/// A preview's parts in the JavaScript client.
struct JavaScriptPreview {
    let preview: APIPreview

    var parts: [APIPreview.Part] {
        [
            .init(title: "Connect", code: connection),
            .init(title: "Save a record", code: save),
            .init(title: "Find records", code: query),
            .init(
                title: "Read one",
                code:
                    "const found = await database.get(\(name)\(zone.map { ", \($0)" } ?? ""));\nconsole.log(found.fields);"
            ),
            .init(title: "Delete it", code: "await database.delete(\(name)\(zone.map { ", \($0)" } ?? ""));"),
        ]
    }

    private var name: String { APIPreview.literal(APIPreview.recordName) }

    /// The `zone` option of calls; nil for the default zone.
    private var zone: String? { preview.spot.customZone.map { "{ zone: \(APIPreview.literal($0)) }" } }

    private var connection: String {
        let place = preview.spot.place
        let token = preview.apiToken == nil ? #""API_TOKEN""# : #""d0".repeat(32)"#
        let signIn =
            preview.apiToken == nil
            ? "// In a page, in a click: opens the server's window.\nawait container.signIn();"
            : """
            // A development server signs anybody in. In a page: await container.signIn()
            const session = await fetch(\(APIPreview.literal(preview.origin + "/auth/dev/session")), {
                method: "POST",
                body: JSON.stringify({
                    container: \(APIPreview.literal(place.container)), environment: "\(place.environment.rawValue)", email: "me@example.com",
                }),
            });
            await container.signIn({ webAuthToken: (await session.json()).ckWebAuthToken });
            """
        return """
            // In a page: import { configure } from \(APIPreview.literal(preview.origin + "/client/cumulus.js"))
            import { configure } from "cumulus-client";

            const cloud = configure({
                origin: \(APIPreview.literal(preview.origin)),
                containers: [{
                    containerIdentifier: \(APIPreview.literal(place.container)), environment: "\(place.environment.rawValue)",
                    apiTokenAuth: { apiToken: \(token) },
                }],
            });
            const container = cloud.getDefaultContainer();
            const database = container.\(preview.spot.database.rawValue)CloudDatabase;
            \(signIn)
            """
    }

    /// Merges into an existing record, so that the code can be run repeatedly.
    private var save: String {
        let fields = preview.fields.map { "        \(APIPreview.literal($0.name)): \(Self.sample($0.type)),\n" }
            .joined()
        let read = "(await database.get(\(name)\(zone.map { ", \($0)" } ?? "")))"
        return """
            const saved = await database.save({
                ...\(read),
                recordType: \(APIPreview.literal(preview.type)), recordName: \(name),
                fields: {
            \(fields)    },
            }\(zone.map { ", \($0)" } ?? ""));
            """
    }

    private var query: String {
        var options: [String] = []
        if let (name, type) = preview.filter {
            options.append("where: [[\(APIPreview.literal(name)), \"=\", \(Self.sample(type))]]")
        }
        if let zone = preview.spot.customZone { options.append("zone: \(APIPreview.literal(zone))") }
        let list = options.isEmpty ? "" : ", { \(options.joined(separator: ", ")) }"
        return """
            for await (const record of database.query(\(APIPreview.literal(preview.type))\(list))) {
                console.log(record.recordName, record.fields);
            }
            """
    }

    private static func sample(_ type: FieldType) -> String {
        let one =
            switch type.kind {
            case .string, .asset: #""some text""#
            case .int64, .number: "42"
            case .double: "4.5"
            case .timestamp: "new Date(1790000000000)"
            case .bytes: "new Uint8Array([1, 2, 3])"
            case .location: "{ latitude: 38.72, longitude: -9.14 }"
            case .reference: #"{ recordName: "another", action: "NONE" }"#
            }
        return type.isList ? "[\(one)]" : one
    }
}
