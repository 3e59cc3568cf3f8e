import CloudModel
import Foundation

/// The reason why a command did not do what it was asked, in words for the person who asked.
struct Complaint: Error, CustomStringConvertible {
    let description: String

    /// - Parameter description: what clients have chosen may be in it.
    init(_ description: String) {
        self.description = PlainText.block(description)
    }

    /// Any error as a complaint, so that nobody is shown a Swift value.
    init(_ error: any Error) {
        switch error {
        case let error as Complaint: self = error
        case let error as ServerError: self.init(PlainText.line(error.reason))
        case let error as any CustomStringConvertible: self.init(error.description)
        default: self.init(error.localizedDescription)
        }
    }

    /// A container that is not there, and the one of those there that was probably meant.
    static func noContainer(_ name: String, known: [String]) -> Complaint {
        let meant = Spelling.nearest(to: name, among: known).map { "did you mean '\($0)'? " } ?? ""
        return Complaint("container '\(name)' does not exist; \(meant)'cumulus container create' makes one")
    }
}
