import ArgumentParser
import CloudModel
import CloudOperations
import Foundation

struct AuditCommand: OperationCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Show what operators changed, and whose private data they looked at.",
        discussion: "The newest line is first. The last 100,000 lines of 400 days are kept.")

    static let operation = AuditOperations.list
    static let arguments: [InputArgument<AuditPage>] = [
        .option(\.container), .option(\.person),
        .option(\.page.limit, or: Int64(PageChoice.usualLimit), help: "Lines at most."),
    ]
    @OptionGroup var input: InputOptions<Self>
    @OptionGroup var access: AccessOptions
    @OptionGroup var output: OutputOptions

    func report(_ page: Page<AuditInfo>) -> Report {
        .list(
            page.items, empty: "Nothing has been noted.",
            columns: ["TIME", "WHO", "ACTION", "CONTAINER", "ENVIRONMENT", "PERSON", "SUBJECT"],
            row: {
                [
                    $0.time.shown, $0.who, $0.action, $0.container ?? "",
                    $0.environment?.rawValue ?? "", [$0.email, $0.person].compactMap(\.self).joined(separator: " "),
                    $0.subject ?? "",
                ]
            })
    }
}
