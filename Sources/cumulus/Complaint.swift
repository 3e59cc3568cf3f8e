import CloudModel
import Foundation

/// An error message for the person who ran the command.
struct Complaint: Error, CustomStringConvertible {
    let description: String

    /// - Parameter description: may contain client-chosen text; control characters are escaped.
    init(_ description: String) {
        self.description = PlainText.block(description)
    }

    /// Wraps any error as a complaint, so that users never see a Swift value.
    init(_ error: any Error) {
        switch error {
        case let error as Complaint: self = error
        case let error as ServerError: self.init(PlainText.line(error.reason))
        case let error as any CustomStringConvertible: self.init(error.description)
        default: self.init(error.localizedDescription)
        }
    }

    /// A complaint about an unknown container, with the most similar known name as a suggestion.
    static func noContainer(_ name: String, known: [String]) -> Complaint {
        let meant = Spelling.nearest(to: name, among: known).map { "did you mean '\($0)'? " } ?? ""
        return Complaint("container '\(name)' does not exist; \(meant)'cumulus container create' makes one")
    }
}
