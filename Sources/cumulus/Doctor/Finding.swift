import CloudModel
import Foundation

/// A result of `cumulus doctor` for a subject.
struct Finding: Sendable {
    enum Level: String, Sendable {
        case ok, warn, fail
    }

    /// The checked subject, in a few words.
    let subject: String
    let level: Level
    /// The subject's state, a sentence without its full stop.
    let text: String
    /// The remedy; nil without a problem.
    let remedy: String?

    static func ok(_ subject: String, _ text: String) -> Finding {
        Finding(subject: subject, level: .ok, text: text, remedy: nil)
    }

    static func warn(_ subject: String, _ text: String, _ remedy: String) -> Finding {
        Finding(subject: subject, level: .warn, text: text, remedy: remedy)
    }

    static func fail(_ subject: String, _ text: String, _ remedy: String) -> Finding {
        Finding(subject: subject, level: .fail, text: text, remedy: remedy)
    }

    /// The finding as text, at most two lines.
    var lines: String {
        let level = level.rawValue.padding(toLength: 4, withPad: " ", startingAt: 0)
        return "\(level)  \(subject): \(PlainText.line(text))"
            + (remedy.map { "\n      → \(PlainText.line($0))" } ?? "")
    }

    var json: JSONValue {
        .members([
            "subject": .string(subject), "level": .string(level.rawValue), "text": .string(text),
            "remedy": .text(remedy),
        ])
    }
}
