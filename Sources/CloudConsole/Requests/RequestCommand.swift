import CloudHTTP
import CloudWire
import CloudPages
import CloudModel

/// A recorded request as a shell command. Records contain neither credentials nor query strings, and bodies in
/// development only; shell variables take their places.
struct RequestCommand {
    /// A value missing from the record, by variable name.
    enum Variable: String {
        case apiToken = "API_TOKEN"
        case webAuthToken = "WEB_AUTH_TOKEN"
        case managementToken = "MANAGEMENT_TOKEN"
        case key = "KEY_ID"
        case date = "DATE"
        case signature = "SIGNATURE"
        case container = "CONTAINER"
        case body = "BODY"

        var meaning: String {
            switch self {
            case .apiToken: "an API token"
            case .webAuthToken: "the user's web auth token, percent-encoded"
            case .managementToken: "a management token"
            case .key: "the id of a server-to-server key"
            case .date: "the date of the signature"
            case .signature: "the signature of date, body and path"
            case .container: "a container of this server"
            case .body: "the body, which is not kept"
            }
        }
    }

    let text: String
    /// The variables to set before running the command.
    let variables: [Variable]

    /// - Parameter origin: the server's origin as seen by the browser.
    /// - Returns: nil if the record does not contain the request's full path.
    init?(_ record: RequestRecord, origin: String) {
        guard let row = record.row, row.kind == .wire,
            let path = Self.path(row.pattern, of: record), let head = Self.head(record.method)
        else { return nil }
        let access = Self.access(to: row.pattern, of: record)
        var words = [head + Self.word([.text(origin)] + path + access.query)]
        words += access.headers.map { "--header " + Self.word($0) }
        var parts = path + access.query + access.headers.joined()
        if ["POST", "PUT"].contains(record.method) {
            let body = record.sent.map(Part.text) ?? .variable(.body)
            words += ["--header 'Content-Type: application/json'", "--data-raw " + Self.word([body])]
            parts.append(body)
        }
        text = words.joined(separator: " \\\n  ")
        variables = parts.compactMap { if case .variable(let variable) = $0 { variable } else { nil } }
    }

    var view: View {
        View(text: text, variables: variables.map { View.Variable(name: $0.rawValue, meaning: $0.meaning) })
    }

    struct View: PageView {
        let text: String
        let variables: [Variable]

        struct Variable: PageView {
            let name: String
            let meaning: String
        }
    }

    private static func head(_ method: String) -> String? {
        switch method {
        case "GET", "POST": "curl "
        case "HEAD": "curl --head "
        case "PUT", "DELETE": "curl --request \(method) "
        default: nil
        }
    }
}

extension RequestRecord {
    /// The body as text, with JSON on several lines; nil if the body is not recorded.
    var sent: String? {
        body.flatMap { body in
            (try? JSONParser.parse(body)).map { WireText.lines($0) } ?? String(validating: body, as: UTF8.self)
        }
    }
}

extension RequestCommand {
    private enum Part {
        case text(String)
        case variable(Variable)
    }

    /// The parts joined into one shell word.
    private static func word(_ parts: [Part]) -> String {
        var (word, text) = ("", "")
        for part in parts {
            switch part {
            case .text(let more): text += more
            case .variable(let variable):
                if !text.isEmpty { word += QueryExample.quoted(text) }
                word += "\"$\(variable.rawValue)\""
                text = ""
            }
        }
        return text.isEmpty ? word : word + QueryExample.quoted(text)
    }

    /// - Returns: nil for a path with unrecorded parts.
    private static func path(_ pattern: String, of record: RequestRecord) -> [Part]? {
        var path: [Part] = []
        for part in pattern.split(separator: "/") {
            switch part {
            case "{container}":
                let container = record.container.map { Part.text(PercentEncoding.encode($0)) }
                path += [.text("/"), container ?? .variable(.container)]
            case "{environment}":
                guard let environment = record.environment else { return nil }
                path.append(.text("/" + environment.rawValue))
            case "{database}":
                guard let database = record.database else { return nil }
                path.append(.text("/" + database.rawValue))
            default:
                guard !part.hasPrefix("{") else { return nil }
                path.append(.text("/" + part))
            }
        }
        return path
    }

    /// The route's credentials, of the kind that the request used.
    private static func access(
        to pattern: String, of record: RequestRecord
    ) -> (query: [Part], headers: [[Part]]) {
        if pattern.hasPrefix(AdminRoutes.start) {
            return ([], [[.text("Authorization: Bearer "), .variable(.managementToken)]])
        }
        guard ["/database/", "/device/", "/keyvalue/", "/share/1/"].contains(where: pattern.hasPrefix) else {
            return ([], [])
        }
        if record.steps.contains(.credentials(.serverKey)) {
            let headers: [(String, Variable)] = [
                ("KeyID", .key), ("ISO8601Date", .date), ("SignatureV1", .signature),
            ]
            return ([], headers.map { [.text("X-Apple-CloudKit-Request-\($0): "), .variable($1)] })
        }
        let isSignedIn = record.user != nil || record.database != .public
        return (
            [.text("?ckAPIToken="), .variable(.apiToken)]
                + (isSignedIn ? [.text("&ckWebAuthToken="), .variable(.webAuthToken)] : []), []
        )
    }
}
