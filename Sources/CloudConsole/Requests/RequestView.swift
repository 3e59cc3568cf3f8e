import CloudAccounts
import CloudPages
import CloudHTTP
import CloudWire
import CloudModel

/// `/console/request`: a single request, with the verdict and remedy first, then the trail of decisions.
enum RequestView {
    static func address(_ id: String) -> String { ConsoleAddress.make("/console/request", [("uuid", id)]) }

    static let show: ConsoleEndpoint = { call in
        let record = try await call.request(try call.query.text("uuid"))
        let verdict = RequestVerdict.make(record)
        let ways = RequestWays(record: record, verdict: verdict, hasEmulator: call.page.site.isDevelopment)
        let names = try await KnownPeople(call, [record.user, verdict.conflict?.changedBy], in: record.container)
        let origin = call.page.site.origin.text(authority: call.page.request.head.authority)
        let content = Content(
            back: ConsoleView.requests.path, id: record.id, status: "\(record.status)", look: record.badge,
            outcome: record.outcome, verdict: verdict.view(ways, names),
            steps: (record.trail + stop(record)).map { step($0, names) },
            sheets: record.operations.isEmpty ? [] : [SheetView(operations(record, names), now: call.now)],
            sent: record.sent, command: RequestCommand(record, origin: origin)?.view,
            facts: facts(record, names, share: try await call.share(of: record)),
            time: RequestTime(record),
            work: work(record))
        return try call.render(
            content, title: record.summary, view: .requests, place: try await call.place(of: record))
    }

    /// The cause of a refused operation, if the request itself was not refused.
    private static func stop(_ record: RequestRecord) -> [TrailEntry] {
        guard record.refusal == nil, let operation = record.decisive, let cause = operation.cause else { return [] }
        return [
            TrailEntry(step: cause.kind, outcome: .stopped, text: "operation \(operation.index): \(cause.text)")
        ]
    }

    private static func step(_ entry: TrailEntry, _ names: KnownPeople) -> Content.Step {
        Content.Step(
            hasPassed: entry.outcome != .stopped, hasStopped: entry.outcome == .stopped,
            about: entry.step.prefix(1).uppercased() + entry.step.dropFirst(), text: names.told(entry.text))
    }

    private static func fact(_ title: String, _ value: String?, link: String? = nil) -> Content.Fact? {
        guard let value, !value.isEmpty else { return nil }
        return Content.Fact(title: title, value: value, link: link)
    }

    private static func facts(
        _ record: RequestRecord, _ names: KnownPeople, share: (title: String, address: String)?
    ) -> [Content.Fact] {
        let search = { (text: String?) -> String? in
            text.map { ConsoleAddress.make(ConsoleView.requests.path, [("matching", $0)]) }
        }
        return [
            fact("Request", record.id), fact("Time", record.time.inFull),
            fact("User", record.user.map(names.both), link: record.user.map(RequestWays.person)),
            fact("Their requests", record.user.map { _ in "all that are remembered" }, link: search(record.user)),
            fact("Container", record.container, link: search(record.container)),
            fact("Environment", record.environment?.rawValue), fact("Database", record.database?.rawValue),
            fact("Share", share?.title, link: share?.address),
            fact("Address", record.address), fact("Trace", record.traceparent),
            fact("Reason told", record.refusal?.reason),
        ].compactMap(\.self)
    }

    private static func work(_ record: RequestRecord) -> [Content.Fact] {
        let cost = record.cost
        let bytes = "\(ByteCount.text(Int64(cost.bytesIn))) in"
        let queued = cost.notifications
        return [
            fact("Took", record.duration.milliseconds),
            fact("Bytes", bytes + (record.bytesOut.map { ", \(ByteCount.text(Int64($0))) out" } ?? "")),
            fact("Statements", "\(cost.statements)"),
            fact("Rows", "\(cost.rowsRead) read, \(cost.rowsAnswered) answered"),
            fact("Notifications", queued == 0 ? nil : "\(queued) queued"),
        ].compactMap(\.self)
    }

    private static func operations(_ record: RequestRecord, _ names: KnownPeople) -> Sheet {
        let left = record.succeeded + record.failed - record.operations.count
        return Sheet(
            title: "Operations",
            note: "\(record.succeeded) done, \(record.failed) refused" + (left > 0 ? "; \(left) are not listed" : ""),
            columns: [
                .init(title: "Record"), .init(title: "Index", isNumber: true, place: .late), .init(title: "Type"),
                .init(title: "Outcome"), .init(title: "Reason"), .init(title: "What decided"),
            ],
            rows: record.operations.map { operation in
                [
                    .name(operation.recordName ?? ""), .number(operation.index), .name(operation.recordType ?? ""),
                    Sheet.Cell(operation.code?.rawValue ?? "done", badge: operation.code == nil ? "good" : "bad"),
                    Sheet.Cell(operation.reason ?? "", isWhole: true),
                    Sheet.Cell(names.told(operation.cause?.text ?? ""), isWhole: true),
                ]
            }, empty: "")
    }
}

extension ConsoleCall {
    /// The request's place if its container still exists, else the default place.
    fileprivate func place(of record: RequestRecord) async throws -> ConsolePlace? {
        let place = try await place()
        guard let place, let container = record.container, let environment = record.environment,
            try await page.site.accounts.reader().container(named: container) != nil
        else { return place }
        return ConsolePlace(
            container: container, environment: environment, containers: place.containers,
            hasMoreContainers: place.hasMoreContainers)
    }
}
