import CloudModel
import CloudOperations
import Foundation

/// Asks for consent before data is lost.
enum Consent {
    /// Lists losses of a schema change and asks for consent; asks nothing without losses.
    ///
    /// - Parameter answerable: whether standard input is available for an answer.
    /// - Throws: ``Complaint`` without consent.
    static func ask(for steps: [SchemaStep], in container: String, answerable: Bool) throws {
        let losses = steps.filter(\.losesData).map(\.text).joined()
        guard !losses.isEmpty else { return }
        guard answerable, Terminal.isInteractive else {
            throw Complaint("the data that development has in these would be lost; add --yes to confirm:\n\(losses)")
        }
        Terminal.tell(PlainText.block(losses))
        let answer = Terminal.ask("What development of \(container) has in these is lost. Type yes to go on: ")
        guard answer == "yes" else { throw Complaint("nothing was changed") }
    }

    /// Lists the permanent additions of a deployment to production, and asks for consent at the terminal.
    ///
    /// - Throws: ``Complaint`` without consent.
    static func askToDeploy(_ steps: [SchemaStep], in container: String) throws {
        guard !steps.isEmpty else { return }
        Terminal.tell(PlainText.block(steps.map(\.text).joined()))
        let answer = Terminal.ask("Production of \(container) keeps its types and fields for good. Type yes to go on: ")
        guard answer == "yes" else { throw Complaint("nothing was deployed") }
    }

    /// - Throws: ``Complaint`` without consent.
    static func askToReset(_ container: String) throws {
        guard Terminal.isInteractive else {
            throw Complaint("resetting deletes all data of development; add --yes to confirm")
        }
        let question = "Delete all records of \(container) in development? Type its name to go on: "
        guard Terminal.ask(question) == container else { throw Complaint("nothing was changed") }
    }
}
