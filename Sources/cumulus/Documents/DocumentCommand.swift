import ArgumentParser
import CloudModel
import CloudOperations
import Foundation

/// Writes the generated parts of the repository's files: `cumulus document FILE…`, which `make documents` runs.
struct DocumentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "document", abstract: "Write the generated parts of openapi.yaml and docs/commands.md.",
        shouldDisplay: false)
    @Argument(help: "The files.") var files: [String]
    @Flag(help: "Write nothing, and fail for a file whose generated parts are out of date.") var check = false

    func run() throws {
        let parts = try GeneratedPart.ofContract() + [GeneratedPart("commands", CommandTable(of: Cumulus.self).lines)]
        for file in files {
            let text = try String(contentsOfFile: file, encoding: .utf8)
            var made = text
            for part in parts { made = part.replaced(in: made) ?? made }
            guard made != text else { continue }
            guard !check else { throw Complaint("\(file) is out of date; 'make documents' writes it anew") }
            try made.write(toFile: file, atomically: true, encoding: .utf8)
        }
    }
}
