@testable import CloudHTTP
@testable import CloudConsole
import CloudAccounts
import CloudEngine
import TestCloud
import CloudModel
import Foundation
import Testing

/// The first page of the console: figures, refusals, and what is worth a look.
@Suite(.timeLimit(.minutes(20)))
struct ConsoleOverviewTests {
    @Test("Requests and refusals are counted by the minute, with the 99th percentile of their times")
    func course() {
        let now = Timestamp(milliseconds: 7_200_000)
        let seconds = [0, 30, 61, 62, 3599, 3601]
        let records = seconds.reversed().map { second in
            record(at: Timestamp(milliseconds: now.milliseconds - Int64(second) * 1000), refused: second == 62)
        }
        let course = RequestCourse(records, now: now, beginning: nil)
        #expect(course.requests.suffix(2) == [2, 2] && course.requests[0] == 1)
        #expect(course.requests.reduce(0, +) == 5 && course.requests.count == 60)
        #expect(course.refused.suffix(2) == [1, 0] && course.span == 60)
        #expect(course.slowestPercent != nil && course.errors == [.badRequest: 1])
        #expect(course.refusals.map(\.sentence) == ["there is nothing of the kind"])
        #expect(RequestCourse([], now: now, beginning: nil).slowestPercent == nil)
    }

    @Test("A busy server shows how far back its request log goes, and tolerates a clock set back")
    func spans() {
        let now = Timestamp(milliseconds: 7_200_000)
        let last = record(at: Timestamp(milliseconds: now.milliseconds - 130_000), refused: false)
        #expect(RequestCourse([last], now: now, beginning: last.time).span == 3)
        let ahead = record(at: Timestamp(milliseconds: now.milliseconds + 130_000), refused: true)
        let course = RequestCourse([ahead], now: now, beginning: ahead.time)
        #expect(course.requests.last == 1 && course.span == 1)
    }

    @Test("Equal refusals share one line with a count, and six lines are shown")
    func refusals() {
        let now = Timestamp(milliseconds: 7_200_000)
        var records = (0..<10).map { _ in record(at: now, refused: true) }
        records += (0..<10).map { record(at: now, refused: true, reason: "reason \($0)") }
        let course = RequestCourse(records, now: now, beginning: nil)
        #expect(course.refusals.map(\.sentence) == (4..<10).reversed().map { "reason \($0)" })
        let same = RequestCourse(Array(records.prefix(10)), now: now, beginning: nil)
        #expect(same.refusals.map(\.count) == [10])
    }

    @Test(
        "A sparkline stays in its box, with and without values", arguments: [[], [0], [0, 0], [5, 0, 10], [.max, 1]])
    func sparkline(values: [Int]) {
        let line = Sparkline(values: values, label: "x").line
        let numbers = line.matches(of: #/[0-9.]+/#).compactMap { Double($0.output) }
        #expect(numbers.count == values.count * 2 && numbers.allSatisfy { (0...100).contains($0) }, "\(line)")
    }

    @Test("Figures link to their subjects, and refusals are sentences that link to their requests")
    func page() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save("n1")
            let refused = try await mei.post("private/records/lookup", "{")
            let id = try #require(refused["uuid"]?.string)
            let page = try await server.send(.get, "/console").text
            #expect(page.contains("Requests, last hour") && page.contains(#"href="/console/requests?refused=true""#))
            #expect(page.matches(of: #/<svg class="spark"/#).count == 4)
            #expect(
                page.contains(#"href="/console/request?uuid=\#(id)" dir="auto">the request body is not valid JSON"#))
            #expect(page.contains("iCloud.com.example.test</a>"))
            #expect(page.contains("Nothing stands out."))
        }
    }

    @Test("A missing backup, dead letters and many refusals each raise a notice with a remedy")
    func worth() async throws {
        try await ConsoleOperator.run(role: .owner) { ines in
            try await ines.enrol()
            let server = ines.server
            #expect(try await ines.visitor.open("/console").text.contains("There is no backup"))
            for _ in 0..<25 {
                _ = try await server.send(.post, "/database/1/c/development/public/records/none")
            }
            let page = try await ines.visitor.open("/console").text
            #expect(page.contains("25 requests were refused with NOT_FOUND"), "\(page)")
            #expect(page.contains("In the last hour. Each tells what decided."))
            #expect(page.contains("/console/requests?matching=NOT_FOUND&amp;refused=true"))
        }
    }

    @Test("A backup older than two days raises a notice", arguments: [(49, true), (47, false)])
    func backups(hours: Int64, isOld: Bool) async throws {
        try await ConsoleOperator.run(role: .viewer) { ines in
            try await ines.enrol()
            let began = ines.server.accounts.now().milliseconds - hours * 3_600_000
            let note = #"{"place": "/backups", "name": "one", "began": \#(began)}"#
            try Data(note.utf8).write(to: URL(filePath: ines.server.folder.path + "/backup.json"))
            let page = try await ines.visitor.open("/console").text
            #expect(page.contains("The last backup is old") == isOld)
            #expect(page.contains("Nothing stands out.") == !isOld)
        }
    }

    @Test("A webhook with dead letters raises a notice")
    func deadLetters() async throws {
        try await TestServer.run(webhooks: .quick) { server in
            let mei = try await server.subscriber()
            _ = try await server.addWebhook("http://127.0.0.1:1/in")
            try await until {
                try await mei.save("probe")
                return try await server.send(.get, "/console").text.contains("A webhook fails")
            }
        }
    }

    @Test("A webhook's count of dead letters links to its own dead letters")
    func lettersOfEach() async throws {
        try await TestServer.run(webhooks: .quick) { server in
            let mei = try await server.subscriber()
            let webhooks = try await [
                server.addWebhook("http://127.0.0.1:1/one").webhook.id,
                server.addWebhook("http://127.0.0.1:1/two").webhook.id,
            ]
            let path = "/console/push?container=iCloud.com.example.test&environment=development"
            for webhook in webhooks {
                try await until {
                    try await mei.save("probe")
                    let page = App.unescaped(try await server.send(.get, path).text)
                    return page.contains("letters=\(webhook)\"") || page.contains("letters=\(webhook)&")
                }
                #expect(try await server.send(.get, path + "&letters=\(webhook)").status == 200)
            }
        }
    }

    private func record(
        at time: Timestamp, refused: Bool, reason: Reason = "there is nothing of the kind"
    ) -> RequestRecord {
        let trace = RequestTrace(id: "x")
        if refused { trace.refuse(ServerError(.badRequest, reason, .address)) }
        return RequestRecord(
            trace, time: time, HTTPRequest(method: .get, authority: nil, path: "/"), nil, address: nil,
            status: refused ? 400 : 200, bytesOut: nil)
    }
}
