import CloudHTTP
import ArgumentParser
import CloudModel
import Foundation
import NIOHTTP1

/// Explains the answer to a request.
struct WhyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why", abstract: "Explain an answer by its uuid: the decisions on its way, and what stopped it.",
        discussion: "The uuid is in every error, and in the header X-Apple-Request-UUID of every answer.")

    @Argument(help: "The request's uuid.") var uuid: String
    @OptionGroup var access: AccessOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let report: Report
        do {
            report = try await access.withServer { server in
                let path = "requests/\(ManagementClient.encoded(uuid))"
                let json = try await server.ask(.GET, path, accept: "application/json").json
                return Report(try server.understood(RequestStory(json)).text, json: json)
            }
        } catch {
            throw Complaint(error)
        }
        report.print(asJSON: output.json)
    }
}

/// A request's log record in readable form.
struct RequestStory {
    private let record: JSONObject

    /// - Returns: nil for an invalid answer.
    init?(_ json: JSONValue) {
        guard let record = json.object, record["uuid"]?.string != nil else { return nil }
        self.record = record
    }

    /// The request on a single line.
    var line: String { named(record["line"]?.string ?? "") }

    /// Inserts the user's address before their record name, if the server reports one.
    private func named(_ text: String) -> String {
        guard let user = record["user"]?.string, let email = record["email"]?.string else { return text }
        return text.replacing(user, with: "\(email) \(user)")
    }

    /// The time of the answer.
    var time: String {
        JSONValue.date(Timestamp(milliseconds: record["time"]?.integer ?? 0)).string ?? ""
    }

    var text: String {
        ([line] + (identity + trail + operations + cost).map(named)).map(PlainText.line).joined(separator: "\n")
    }

    private var identity: [String] {
        [("time", time)].map { "  \($0.0)  \($0.1)" }
            + ["container", "environment", "user", "address", "traceparent", "reason"].compactMap { name in
                record[name]?.string.map { "  \(name)  \($0)" }
            }
    }

    private var trail: [String] {
        (record["trail"]?.array ?? []).compactMap(\.object).map { step in
            let mark = step["outcome"]?.string == TrailEntry.Outcome.passed.rawValue ? "passed " : "STOPPED"
            return "  \(mark)  \(step["step"]?.string ?? ""): \(step["text"]?.string ?? "")"
        }
    }

    private var operations: [String] {
        (record["operations"]?.array ?? []).compactMap(\.object).map { operation in
            let names = ["recordType", "recordName"].compactMap { operation[$0]?.string }.joined(separator: "/")
            let place = "  operation \(operation["index"]?.integer ?? 0)" + (names.isEmpty ? "" : " \(names)")
            guard let code = operation["serverErrorCode"]?.string else { return place + "  ok" }
            let cause = operation["cause"]?.object?["text"]?.string ?? ""
            let reason = operation["reason"]?.string ?? ""
            return "\(place)  \(code): " + [reason, cause].filter { !$0.isEmpty }.joined(separator: "; ")
        }
    }

    private var cost: [String] {
        guard let cost = record["cost"]?.object else { return [] }
        let times = [
            ("queue", "queueMicroseconds"), ("store", "storeMicroseconds"), ("rendering", "renderingMicroseconds"),
        ]
        .map { "\($0.0) \(Double(cost[$0.1]?.integer ?? 0) / 1000) ms" }
        let counts = [("statements", "statements"), ("rows read", "rowsRead"), ("rows answered", "rowsAnswered")]
            .map { "\(cost[$0.1]?.integer ?? 0) \($0.0)" }
        return ["  cost  " + (times + counts).joined(separator: ", ")]
    }
}
