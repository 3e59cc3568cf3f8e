import CloudHTTP
import CloudWire
import CloudPages
import CloudModel
import CloudOperations
import CloudStore

/// A table of audit log entries.
enum AuditSheet {
    static func make(_ lines: [AuditInfo], title: String = "Done lately") -> Sheet {
        Sheet(
            title: title,
            columns: [
                .init(title: "Time"), .init(title: "Who"), .init(title: "Action"), .init(title: "Container"),
                .init(title: "Person"), .init(title: "Subject"),
            ],
            rows: lines.map {
                [
                    .time($0.time), Sheet.Cell($0.who), Sheet.Cell($0.action), .name($0.container ?? ""),
                    person($0), .name($0.subject ?? ""),
                ]
            }, empty: "No operator has changed anything yet.")
    }

    private static func person(_ line: AuditInfo) -> Sheet.Cell {
        guard let email = line.email else { return .name(line.person ?? "") }
        var cell = Sheet.Cell(email)
        cell.title = line.person
        return cell
    }
}
