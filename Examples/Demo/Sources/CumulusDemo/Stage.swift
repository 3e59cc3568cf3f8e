import CumulusKit

/// Where an act is played: says what a person wants, lets it be done, and holds what came back to what should be so.
final class Stage {
    private static let outlineLimit = 420

    let server: Server
    let console: Console
    /// How long devices waited for the news of a change, from when it was sent; in no order.
    var wakings: [Duration] = []
    private var steps = 0
    /// The act that is played, and what has come of it.
    private var act: (title: String, steps: Int, facts: Int)?

    init(server: Server, console: Console) {
        self.server = server
        self.console = console
    }

    /// Begins an act, in whose tables the fields are columns where records have them.
    func act(_ title: String, showing fields: [String] = []) {
        endAct()
        act = (title, 0, 0)
        console.line()
        console.line(
            "━━ \(title) " + String(repeating: "━", count: max(3, min(console.width, 100) - title.count - 4)), .title)
        server.wire.show(columns: fields)
    }

    /// Says on a brief console what the act came to.
    func endAct() {
        guard console.isBrief, let act else { return }
        console.whole.line("✓ \(act.title)", .good)
        console.whole.line("\(act.steps) steps, \(act.facts) facts held", .quiet, indent: 2)
        self.act = nil
    }

    /// Announces the next step in the words of the person who wants it; the tables get other columns if some are named.
    func want(_ sentence: String, showing fields: [String]? = nil) {
        steps += 1
        act?.steps += 1
        console.line()
        console.line("\(steps < 10 ? " " : "")\(steps). \(sentence)", .wish)
        if let fields { server.wire.show(columns: fields) }
    }

    /// Shows some members of an answer.
    func show(_ answer: JSON, _ members: [String]) {
        let shown = (answer.object ?? [:]).filter { members.contains($0.key) }
        console.line(JSONOutline(.object(shown), limit: Self.outlineLimit).text, .quiet, indent: 7)
    }

    /// Holds what came back to what should be so, and says so.
    func check<Value: Equatable>(_ fact: String, _ got: Value, is expected: Value) throws {
        guard got == expected else {
            throw Mismatch(what: fact, expected: "\(expected)", got: "\(got)")
        }
        act?.facts += 1
        console.line("✓ \(fact)", .good, indent: 5)
    }

    /// Holds a call to its success, and says so.
    @discardableResult
    func succeed<Value>(_ fact: String, _ call: () async throws -> Value) async throws -> Value {
        do {
            let value = try await call()
            act?.facts += 1
            console.line("✓ \(fact)", .good, indent: 5)
            return value
        } catch let error as CKError {
            throw Mismatch(what: fact, expected: "no error", got: "\(error)")
        }
    }

    /// Holds a call to being refused with this code, and says so.
    @discardableResult
    func refuse<Value>(
        _ fact: String, _ code: CKError.Code, _ call: () async throws -> Value
    ) async throws -> CKError {
        do {
            _ = try await call()
        } catch let error as CKError {
            try check(fact, error.code, is: code)
            return error
        }
        throw Mismatch(what: fact, expected: "\(code)", got: "no error")
    }

    /// Does something with each element, the first of them for all to see and the others several at a time, and shows how
    /// far it has come.
    ///
    /// - Returns: the sum of what came of each.
    func each<Element: Sendable>(
        of elements: [Element], atOnce: Int, total: Int, _ noun: String,
        _ work: @escaping @Sendable (Element) async throws -> Int
    ) async throws -> Int {
        var progress = ProgressBar(of: total, noun, on: console)
        var waiting = elements.makeIterator()
        var done = 0
        if let first = waiting.next() {
            done = try await work(first)
            progress.advance(by: done)
        }
        try await withThrowingTaskGroup(of: Int.self) { group in
            func sendNext() {
                guard let element = waiting.next() else { return }
                group.addTask { try await Wire.quietly { try await work(element) } }
            }
            for _ in 0..<atOnce { sendNext() }
            while let count = try await group.next() {
                done += count
                progress.advance(by: count)
                sendNext()
            }
        }
        return done
    }
}
