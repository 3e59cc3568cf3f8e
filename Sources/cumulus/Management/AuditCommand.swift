import ArgumentParser
import CloudModel
import CloudOperations
import Foundation

struct AuditCommand: ManagementCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Show what operators changed, and whose private data they looked at.",
        discussion: "The newest line is first. The last 100,000 lines of 400 days are kept.")

    @Option(help: .of(\AuditPage.container)) var container: String?
    @Option(help: .of(\AuditPage.person)) var person: String?
    @Option(help: "Lines at most.") var limit = 100
    @OptionGroup var access: AccessOptions
    @OptionGroup var output: OutputOptions

    func perform(_ operations: any Operations) async throws -> Report {
        let page = try await operations.run(AuditOperations.list) {
            $0.set(\.container, to: container)
            $0.set(\.person, to: person)
            $0.set(\.page.limit, to: Int64(limit))
        }
        return .list(
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
