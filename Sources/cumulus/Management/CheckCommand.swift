import ArgumentParser
import CloudModel
import CloudOperations
import Foundation

struct CheckCommand: InputCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check that all stored data is as it was written.",
        discussion: """
            Reads the databases, the JSON of every record, and the size and checksum of every asset, and prints what is \
            wrong and where; the exit code is 1 if anything is. It changes nothing, and a server may go on serving the \
            data folder.
            """)

    static let arguments: [InputArgument<CheckChoice>] = [.argument(\.container), .option(\.environment)]
    @OptionGroup var input: InputOptions<Self>
    @OptionGroup var transfer: TransferOptions
    @OptionGroup var access: AccessOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let progress = transfer.progress
        let found: CheckInfo
        do {
            defer { progress.end() }
            found = try await access.operations(report: progress.report).run(CheckOperations.run, input.draft)
        } catch {
            throw Complaint(error)
        }
        let problems = found.problems
        let looked =
            "Checked "
            + Counted.list(
                [
                    (found.environments, "environment", nil), (Int(found.records), "record", nil),
                    (Int(found.assets), "asset", nil),
                ], nothing: "no environment")
        let verdict = problems.isEmpty ? "All is well." : "Problems: \(problems.count)."
        Report((problems.map(PlainText.line) + ["\(looked). \(verdict)"]).joined(separator: "\n"), answer: found).print(
            asJSON: output.json)
        if !problems.isEmpty { throw ExitCode.failure }
    }
}
