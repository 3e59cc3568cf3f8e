@testable import CloudHTTP
import CloudAccounts
import CloudWire
import CloudServer
import TestCloud
import CloudModel
import CloudStore
import Foundation
import Logging
import NIOCore
import Testing

/// No token, password, secret of a link or value of a field gets into a log line or a record, however it is sent. A
/// development server tells what clients sent in bodies, in the sentences that they got, and nothing else.
@Suite(.timeLimit(.minutes(20)))
struct PlantedSecretsTests {
    /// The planted texts, each of which begins with a word that nothing else has.
    private static let texts = [
        "planted-plain-7d1f", "1__1__planted/" + String(repeating: "A", count: 56), "cm_planted00112233",
        "planted'quote", "planted\\\"escaped", "planted value with spaces", "Pl4nted0Password", "plantedé\u{301}",
        "planted@example.com", String(repeating: "planted", count: 40), "plantedTypeName", "0planted",
    ]
    private static let numbers = ["887766554433221", "88776655.4433221"]

    private static func isClean(_ line: String) -> Bool {
        let line = line.lowercased()
        return !line.contains("planted") && !line.contains("pl4nted") && !line.contains("8877665")
    }

    /// The text in another word for a development server, which tells of the first.
    private static func secret(_ text: String, dev: Bool) -> String {
        dev ? text.replacing("planted", with: "hidden7x").replacing("Pl4nted", with: "Hidden7x") : text
    }

    private static func isClean(_ line: String, dev: Bool) -> Bool {
        dev ? !line.lowercased().contains("hidden7x") : isClean(line)
    }

    /// Bodies with a text in every place that takes one.
    private static func bodies(_ text: String) -> [(endpoint: String, body: String)] {
        let text = String(text.replacing("\\\"", with: "").replacing("\"", with: ""))
        let number = numbers[text.utf8.count % 2]
        let fields =
            #""title": {"value": "\#(text)"}, "n": {"value": \#(number)}, "when": {"value": "\#(text)", "type": "TIMESTAMP"}"#
        let record =
            #"{"recordName": "\#(text)", "recordType": "\#(text)", "recordChangeTag": "\#(text)", "fields": {\#(fields)}}"#
        let good =
            #"{"recordName": "known", "recordType": "Note", "recordChangeTag": "\#(text)", "fields": {\#(fields)}}"#
        let bad = #"{"recordType": "Note", "fields": {"title": {"value": "\#(text)", "type": "\#(text)"}}}"#
        let typed = #"{"recordType": "Note", "fields": {"title": {"value": \#(number)}}}"#
        let operations = [record, good, bad, typed].flatMap { record in
            ["create", "update", "forceReplace", text].map { #"{"operationType": "\#($0)", "record": \#(record)}"# }
        }
        return operations.map { ("records/modify", #"{"operations": [\#($0)], "atomic": true}"#) } + [
            ("records/modify", #"{"operations": "\#(text)"}"#), ("records/modify", #"{"\#(text)"#),
            ("records/modify", text),
            ("records/query", #"{"query": {"recordType": "\#(text)"}}"#),
            (
                "records/query",
                #"{"query": {"recordType": "Note", "filterBy": [{"fieldName": "\#(text)", "comparator": "EQUALS", "fieldValue": {"value": "\#(text)"}}]}}"#
            ),
            (
                "records/query",
                #"{"query": {"recordType": "Note", "filterBy": [{"fieldName": "title", "comparator": "\#(text)", "fieldValue": {"value": "\#(text)"}}]}}"#
            ),
            (
                "records/query",
                #"{"query": {"recordType": "Note", "filterBy": [{"fieldName": "title", "comparator": "EQUALS", "fieldValue": {"value": \#(number)}}]}}"#
            ),
            (
                "records/query",
                #"{"query": {"recordType": "Note"}, "continuationMarker": "\#(text)", "resultsLimit": "\#(text)"}"#
            ),
            ("records/lookup", #"{"records": [{"recordName": "\#(text)"}], "zoneID": {"zoneName": "\#(text)"}}"#),
            ("records/changes", #"{"zoneID": {"zoneName": "_defaultZone"}, "syncToken": "\#(text)"}"#),
            (
                "zones/modify",
                #"{"operations": [{"operationType": "create", "zone": {"zoneID": {"zoneName": "_\#(text)"}}}]}"#
            ),
            (
                "subscriptions/modify",
                #"{"operations": [{"operationType": "create", "subscription": {"subscriptionID": "\#(text)", "subscriptionType": "\#(text)"}}]}"#
            ),
            ("users/lookup/email", #"{"users": [{"emailAddress": "\#(text)"}]}"#),
            ("users/discover", #"{"lookupInfos": [{"emailAddress": "\#(text)", "phoneNumber": \#(number)}]}"#),
            ("records/resolve", #"{"shortGUIDs": ["\#(text)"]}"#),
            ("records/accept", #"{"shortGUIDs": [{"value": "\#(text)"}]}"#),
            ("assets/upload", #"{"tokens": [{"recordType": "\#(text)", "fieldName": "\#(text)"}]}"#),
            ("assets/rereference", #"{"assets": [{"recordName": "\#(text)", "fieldName": "\#(text)"}]}"#),
        ]
    }

    private static func forms(_ text: String) -> [(path: String, body: String)] {
        let encoded = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return [
            ("/auth/signin", "email=\(encoded)&password=\(encoded)&form=\(encoded)"),
            ("/auth/register", "email=\(encoded)&password=\(encoded)&givenName=\(encoded)&form=\(encoded)"),
            ("/auth/forgot", "email=\(encoded)&form=\(encoded)"),
            ("/auth/reset", "id=\(encoded)&code=\(encoded)&password=\(encoded)&form=\(encoded)"),
            ("/account", "do=password&current=\(encoded)&password=\(encoded)&form=\(encoded)"),
            ("/account/download", "form=\(encoded)"),
            ("/account/delete", "password=\(encoded)&form=\(encoded)"),
            ("/auth/confirm", "id=\(encoded)&code=\(encoded)"),
            ("/auth/with/id", "code=\(encoded)&state=\(encoded)&id_token=\(encoded)&user=\(encoded)"),
            ("/auth/with/id/logout", "logout_token=\(encoded)"),
            ("/auth/with/apple/notices", #"{"payload": "\#(encoded)"}"#),
            ("/auth/connect", "password=\(encoded)&id=\(encoded)&code=\(encoded)&form=\(encoded)"),
            ("/auth/passkey", "ticket=\(encoded)&answer=\(encoded)&form=\(encoded)"),
            ("/account/passkeys", "do=add&ticket=\(encoded)&answer=\(encoded)&name=\(encoded)&form=\(encoded)"),
            ("/account/passkeys/options", "do=add&password=\(encoded)&form=\(encoded)"),
            ("/account/ways", "do=disconnect&identity=\(encoded)&current=\(encoded)&form=\(encoded)"),
            ("/share/\(encoded)/password", "password=\(encoded)"),
            ("/share/\(encoded)/request-access", ""), ("/uploads/\(encoded)", text),
            (
                "/auth/dev/session",
                #"{"container": "\#(encoded)", "environment": "\#(encoded)", "email": "\#(encoded)"}"#
            ),
        ]
    }

    private static func paths(_ text: String) -> [String] {
        let encoded = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return [
            "/\(encoded)", "/share/\(encoded)", "/share/\(encoded)/zip", "/aps?tok=\(encoded)",
            "/events?tok=\(encoded)",
            "/database/1/\(encoded)/development/private/zones/list?ckAPIToken=\(encoded)",
            "/database/1/c/\(encoded)/private/zones/list", "/database/1/c/development/\(encoded)/zones/list",
            "/database/1/c/development/private/\(encoded)/\(encoded)",
            "/database/1/c/production/public/zones/list?ckAPIToken=\(encoded)&ckWebAuthToken=\(encoded)&clientId=\(encoded)",
            "/assets/c/development/\(encoded)/\(encoded)?\(encoded)=\(encoded)",
            "/previews/c/development/\(encoded)/\(encoded)",
            "/admin/1/\(encoded)/development/roles/\(encoded)/\(encoded)", "/admin/1/requests?code=\(encoded)",
            "/admin/1/requests/\(encoded)", "/share/1/c/development/links/\(encoded)",
            "/auth/signin?request=\(encoded)&return=\(encoded)", "/auth/with/\(encoded)",
            "/auth/with/id?code=\(encoded)&state=\(encoded)", "/auth/with/id?error=\(encoded)&state=\(encoded)",
            "/auth/with/id?answer=\(encoded)", "/auth/with/id?connect=\(encoded)&window=\(encoded)",
            "/keyvalue/1/\(encoded)/development/values", "/static/\(encoded)/\(encoded)",
        ]
    }

    @Test("No planted secret appears in a log line, a record or a metric", arguments: [true, false])
    func plantedSecrets(dev: Bool) async throws {
        let book = LogBook()
        try await TestServer.run(
            dev: dev,
            configure: {
                $0.requests.logged = .all
                $0.requests.linesPerMinute = 1_000_000
                $0.requests.fileDays = 1
                $0.guessing.perAccount = 1_000_000
                $0.registration.isOpen = true
            }, logger: book.logger(.trace)
        ) { server in
            let program = try await server.makeOperator("c")
            try await addProviders(server)
            var app = server.app("c")
            if dev {
                app = try await server.signIn("mei@example.com", "c")
                try await app.save("known", fields: #""title": {"value": "planted stored"}, "n": {"value": 1}"#)
            }
            for text in Self.texts { try await plant(text, dev: dev, app, server) }
            let records = try await server.requests("?limit=1000&after=0", program)
            #expect(
                Self.isClean(records.text, dev: dev),
                "\(records.text.firstMatch(of: #/.{300}[pP]l[a4]nted.{80}/#)?.output ?? "a number")")
            #expect(records.column("requests", "uuid").count > 100)
        }
        #expect(book.lines.count > 500)
        for line in book.lines where !Self.isClean(line, dev: dev) { Issue.record("\(line)") }
    }

    /// Providers that cannot be reached, with a planted secret.
    private func addProviders(_ server: TestServer) async throws {
        var provider = SignInProvider(name: "id", kind: .oidc, clientID: "client", issuer: "http://127.0.0.1:1")
        provider.allowsHTTP = true
        _ = try await server.accounts.providers.add(provider, secret: ProviderSecret(Self.texts[0]))
    }

    /// What apps exchange.
    private static func exchanges(_ text: String) -> [String] {
        let text = text.replacing("\\\"", with: "").replacing("\"", with: "")
        return [
            #"{"provider": "id", "idToken": "\#(text)", "nonce": "\#(text)", "authorizationCode": "\#(text)"}"#,
            #"{"provider": "\#(text)", "idToken": "\#(text)", "nonce": "\#(text)"}"#,
            #"{"provider": "id", "idToken": ["\#(text)"], "nonce": "\#(text)", "name": {"givenName": "\#(text)"}}"#,
        ]
    }

    private func plant(_ text: String, dev: Bool, _ app: App, _ server: TestServer) async throws {
        let apiToken = try await server.accounts.apiTokens.create(
            container: "c", environment: .production, name: "app", audiences: ["client"]
        ).text
        for body in Self.exchanges(text) {
            let body = ByteBuffer(string: body)
            for path in ["/auth/exchange", "/auth/exchange/nonce"] {
                _ = try await server.client.execute(
                    uri: "\(path)?ckAPIToken=\(apiToken)", method: .post, body: body)
            }
        }
        for (endpoint, body) in Self.bodies(text) {
            for database in ["private", "public"] { _ = try await app.post("\(database)/\(endpoint)", body) }
        }
        let text = Self.secret(text, dev: dev)
        for (path, body) in Self.forms(text) {
            _ = try await server.client.execute(uri: path, method: .post, body: ByteBuffer(string: body))
        }
        // Sentences tell these parts of a path, and this argument.
        for path in Self.paths(text) where !dev || !["/database/1/c/", "?code="].contains(where: path.contains) {
            _ = try await server.client.execute(uri: path, method: .get)
        }
        let value = String(text.unicodeScalars.filter(\.isASCII).map(Character.init))
        for name in [
            "Authorization", "Cookie", "Origin", "Referer", "User-Agent", "X-Forwarded-For", "If-Match", "traceparent",
            "X-Apple-CloudKit-Request-KeyID", "X-Apple-CloudKit-Request-ISO8601Date",
            "X-Apple-CloudKit-Request-SignatureV1", "Content-Type", "Accept", "Range", "Last-Event-ID",
        ] {
            let field = try #require(HTTPField.Name(name))
            for path in [app.target("private/zones/list"), "/admin/1/c/development/schema", "/auth/signin"] {
                _ = try await server.client.execute(uri: path, method: .get, headers: [field: value])
            }
        }
    }
}
