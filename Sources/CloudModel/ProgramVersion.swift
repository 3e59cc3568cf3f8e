import Foundation

/// The version of Cumulus, reported by `--version` and `/health`.
package enum ProgramVersion {
    package static let text = "0.4.0"

    /// The source commit of this program; nil if the build recorded no commit.
    package static let commit = Bundle.main.executablePath.flatMap(commit(of:))

    /// The text that `--version` prints.
    package static let long = commit.map { "\(text) (commit \($0))" } ?? text

    /// The commit from the file beside a program. The build writes this file rather than the program, so that equal sources
    /// give equal programs.
    package static func commit(of program: String) -> String? {
        let note = program + ".commit"
        guard let built = modified(program), let noted = modified(note), noted >= built,
            let commit = try? String(contentsOfFile: note, encoding: .utf8).trimmingCharacters(in: .newlines)
        else { return nil }
        return (try? #/[0-9a-f]{7,64}(-dirty)?/#.wholeMatch(in: commit)) == nil ? nil : commit
    }

    private static func modified(_ path: String) -> Date? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
    }
}
