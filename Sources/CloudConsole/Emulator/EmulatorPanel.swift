import CloudHTTP
import CloudEmulator
import CloudModel

/// The emulator's page: clock, faults, snapshots and lint findings.
struct EmulatorPanel {
    let place: ConsolePlace
    let clock: (now: Timestamp, isFrozen: Bool)
    let faults: [JSONValue]
    /// The names of routes that accept faults.
    let routes: [String]
    let snapshots: [String]
    let lint: JSONObject

    static func json(_ writer: JSONWriter) throws -> JSONObject {
        try JSONParser.parse(writer.bytes).object ?? JSONObject()
    }

    func content(problem: String?) -> EmulatorContent {
        EmulatorContent(
            problem: problem, name: place.container, hidden: place.hidden, now: clock.now.inFull,
            isFrozen: clock.isFrozen,
            steps: [("3600", "1 hour"), ("86400", "1 day"), ("2592000", "30 days")].map(EmulatorContent.Step.init),
            clock: FormFieldView(EmulatorForm.set),
            faultSheet: SheetView(faultSheet, now: clock.now), hasFaults: !faults.isEmpty,
            faults: EmulatorForm.fault(routes: routes).map { FormFieldView($0) },
            lintSheet: SheetView(lintSheet, now: clock.now), isWatching: isWatching, hasNoSnapshots: snapshots.isEmpty,
            snapshots: snapshots.map {
                EmulatorContent.Snapshot(
                    name: $0, syncTokens: FormFieldView(EmulatorForm.syncTokens(of: $0), in: $0))
            },
            snapshot: FormFieldView(EmulatorForm.snapshot), seed: FormFieldView(EmulatorForm.seed),
            keepSchema: FormFieldView(EmulatorForm.keepSchema))
    }

    private var isWatching: Bool { lint["isOn"] == .bool(true) }

    /// The rule members that select requests; other members describe the fault.
    private static let subjects = ["route", "container", "user", "recordType"]
    private static let counts = ["id", "matched", "decided"]

    private var faultSheet: Sheet {
        Sheet(
            title: "Faults", note: "the first that fits decides",
            columns: [
                .init(title: "For"), .init(title: "What"), .init(title: "Fitted", isNumber: true),
                .init(title: "Decided", isNumber: true),
            ],
            rows: faults.compactMap(\.object).map { fault in
                let about = fault.members.filter { Self.subjects.contains($0.key) }
                let what = fault.members.filter { !(Self.subjects + Self.counts).contains($0.key) }
                return [
                    Sheet.Cell(about.isEmpty ? "anything" : Self.words(about), isWhole: true),
                    Sheet.Cell(Self.words(what), isWhole: true), .number(fault["matched"]?.integer ?? 0),
                    .number(fault["decided"]?.integer ?? 0),
                ]
            }, empty: "Nothing goes wrong on purpose.")
    }

    private static func words(_ members: [JSONObject.Member]) -> String {
        members.map { "\($0.key) \($0.value.string ?? WireText.json($0.value))" }.joined(separator: ", ")
    }

    private var lintSheet: Sheet {
        Sheet(
            title: "What clients did wrong", note: isWatching ? "watching" : "",
            columns: [
                .init(title: "What"), .init(title: "Better"), .init(title: "Times", isNumber: true),
                .init(title: "Container"), .init(title: "Who"), .init(title: "Request"),
            ],
            rows: (lint["findings"]?.array ?? []).compactMap(\.object).map { finding in
                let request = finding["request"]?.string
                return [
                    Sheet.Cell(finding["text"]?.string ?? "", isWhole: true),
                    Sheet.Cell(finding["advice"]?.string ?? "", isWhole: true),
                    .number(finding["count"]?.integer ?? 0), .name(finding["container"]?.string ?? ""),
                    .name(finding["user"]?.string ?? finding["clientId"]?.string ?? ""),
                    .name(request ?? "", link: request.map(RequestView.address)),
                ]
            }, empty: isWatching ? "Nothing so far." : "Nobody watches. Clients are watched from 'Watch' on.")
    }
}
