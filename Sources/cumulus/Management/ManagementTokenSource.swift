import CloudModel
import Foundation

/// The source of a command's management token. Never an argument: all local users can read those.
enum ManagementTokenSource {
    static let variable = "CUMULUS_MANAGEMENT_TOKEN"

    /// - Parameter file: the token file's path; nil to read the variable.
    static func text(file: String?) throws -> String {
        let text: String?
        if let file {
            guard let data = FileManager.default.contents(atPath: file) else { throw Complaint("cannot read \(file)") }
            text = String(decoding: data, as: UTF8.self)
        } else {
            text = ProcessInfo.processInfo.environment[variable]
        }
        let token = (text ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Complaint(
                "--server needs a management token, in \(variable) or in a file named by --management-token-file; "
                    + "'cumulus management-token create' makes one")
        }
        return token
    }
}
