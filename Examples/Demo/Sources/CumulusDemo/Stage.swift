import NIOHTTP1

/// Where an act is played: says what a person wants, sends it, shows what came back, and holds it to what should be so.
final class Stage {
    private static let bodyLimit = 420

    let console: Console
    private var steps = 0

    init(console: Console) {
        self.console = console
    }

    func act(_ title: String) {
        console.line()
        console.line(
            "━━ \(title) " + String(repeating: "━", count: max(3, min(console.width, 100) - title.count - 4)), .title)
    }

    /// Announces the next step in the words of the person who wants it.
    func want(_ sentence: String) {
        steps += 1
        console.line()
        console.line("\(steps < 10 ? " " : "")\(steps). \(sentence)", .wish)
    }

    /// Sends one request and shows it, its answer and the records in it.
    func ask(
        _ client: CloudClient, _ action: String, _ body: JSON, show fields: [String] = []
    ) async throws -> CloudAnswer {
        try await call(client, .POST, client.path(action), body, show: fields)
    }

    /// The same for any path and method.
    func call(
        _ client: CloudClient, _ method: HTTPMethod, _ path: String, _ body: JSON? = nil, show fields: [String] = []
    ) async throws -> CloudAnswer {
        showRequest(path, body, method: method)
        let answer = try await client.call(method, path, body)
        showAnswer(answer, fields: fields)
        return answer
    }

    /// Opens a link as a browser does that nobody is signed in with.
    func open(_ client: CloudClient, _ link: Link) async throws -> Page {
        showRequest(link.path, nil, method: .GET)
        let page = try await client.open(link)
        console.line("\(page.status), \(page.html.utf8.count.grouped) bytes of HTML", indent: 5)
        return page
    }

    func showRequest(_ path: String, _ body: JSON?, method: HTTPMethod = .POST) {
        console.line("\(method.rawValue) \(path)", .request, indent: 5)
        if let body { console.line(JSONOutline(body, limit: Self.bodyLimit).text, .quiet, indent: 5) }
    }

    private func showAnswer(_ answer: CloudAnswer, fields: [String]) {
        let records = answer.records.isEmpty ? answer.changes : answer.records
        let count =
            answer.body["records"] == nil && records.isEmpty
            ? "" : ", \(records.count.grouped) record\(records.count == 1 ? "" : "s")"
        let more = answer.continuationMarker == nil ? "" : ", more to come"
        console.line("\(answer.summary) in \(answer.duration.milliseconds)\(count)\(more)", indent: 5)
        guard !records.isEmpty else { return }
        for line in RecordTable(records, fields: fields).lines { console.line(line, indent: 7) }
    }

    /// Shows those of an answer's members that are not records.
    func show(_ answer: CloudAnswer, _ members: [String]) {
        let shown = members.compactMap { name in answer.body[name].map { JSON.Member(key: name, value: $0.sorted) } }
        console.line(JSONOutline(.object(shown), limit: Self.bodyLimit).text, .quiet, indent: 7)
    }

    /// Holds what came back to what should be so, and says so.
    func check<Value: Equatable>(_ fact: String, _ got: Value, is expected: Value) throws {
        guard got == expected else {
            throw Mismatch(what: fact, expected: "\(expected)", got: "\(got)")
        }
        console.line("✓ \(fact)", .good, indent: 5)
    }
}
