import CloudHTTP
import CloudWire
import CloudModel
import CloudOperations

/// `/console/settings/backups`: lists, creates and verifies backups.
enum BackupsView {
    static let show: ConsoleEndpoint = { try await page($0) }

    static let change: ConsoleEndpoint = { call in
        do {
            switch call.form["do"] {
            case "create": _ = try await call.operations.run(BackupOperations.create, [:])
            case "verify":
                _ = try await call.operations.run(
                    BackupOperations.verify, ["name": .string(try call.form.text("name"))])
            default: throw ServerError.unknownAction
            }
        } catch let error as ServerError where error.isAboutForm {
            return try await page(call, problem: error.pageText)
        }
        return .seeOther(SettingsTab.backups.path)
    }

    private static func page(_ call: ConsoleCall, problem: String? = nil) async throws -> Response {
        let path = SettingsTab.backups.path
        let found: BackupsInfo
        do { found = try await call.operations.run(BackupOperations.list, [:]) } catch let error as ServerError
            where [.notFound, .tryAgainLater].contains(error.code)
        {
            return try await call.render(.backups, sheets: [], problem: problem, remark: error.pageText)
        }
        let form = ConsoleForm(
            title: "Another backup", path: path, button: "Back up now", action: "create",
            note: "Beside the work of the server. Contents of assets are copied once.")
        let facts = [
            ("Place", found.place), ("One every", Duration.seconds(found.every).spoken),
            ("The newest that stay", "\(found.keep)"),
            ("To restore one", "cumulus backup restore NAME, with the server stopped"),
        ].map(Fact.init)
        return try await call.render(
            .backups, sheets: [sheet(found)], forms: [form], problem: problem, remark: found.work.map(sentence),
            facts: facts)
    }

    private static func sentence(of work: BackupWorkInfo) -> String {
        let began = work.began.inFull
        let what = work.verifies.map { "The verification of \($0)" } ?? "A backup"
        return switch work.state {
        case .running: "\(what) has been running since \(began). Load the page again to see how it ends."
        case .done: work.outcome
        case .failed: "\(what), begun \(began), found faults: \(work.outcome)"
        }
    }

    private static func sheet(_ found: BackupsInfo) -> Sheet {
        Sheet(
            title: "Backups", note: "the newest first",
            columns: [
                .init(title: "Name"), .init(title: "Began"), .init(title: "Records", isNumber: true),
                .init(title: "Assets", isNumber: true), .init(title: "Bytes", isNumber: true),
                .init(title: "New", isNumber: true), .init(title: "Action"),
            ],
            rows: found.backups.map { backup in
                let count = { (number: Int64?) in number.map(Sheet.Cell.number) ?? Sheet.Cell("") }
                let size = { (bytes: Int64?) in Sheet.Cell(bytes.map(ByteCount.text) ?? "", isNumber: true) }
                return [
                    .name(backup.name), backup.fault.map { Sheet.Cell($0, isWhole: true) } ?? .time(backup.began),
                    count(backup.records), count(backup.assets), size(backup.bytes), size(backup.newBytes),
                    Sheet.Cell(
                        "", action: Sheet.Action(label: "Verify", fields: [("do", "verify"), ("name", backup.name)])),
                ]
            }, empty: "There is no backup here yet.")
    }
}

extension Duration {
    /// The duration in its largest whole unit, such as "2 days".
    fileprivate var spoken: String {
        let seconds = components.seconds
        for (unit, name) in [(86400, "day"), (3600, "hour"), (60, "minute")] where seconds % Int64(unit) == 0 {
            let count = seconds / Int64(unit)
            return count == 1 ? "1 \(name)" : "\(count) \(name)s"
        }
        return "\(seconds) seconds"
    }
}
