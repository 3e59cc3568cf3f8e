import CloudModel
import CloudCrypto
import Foundation

/// Identifies a file of a record in URLs. The server checks at each use that the file belongs to the page.
package struct ItemKey: Hashable, Sendable {
    package let recordName: String
    package let field: String
    /// The index in a list field; 0 for a single file.
    package let index: Int
    /// The key as text.
    package let text: String

    package init(recordName: String, field: String, index: Int) {
        self.recordName = recordName
        self.field = field
        self.index = index
        text = "\(Base64URL.encode(Array(recordName.utf8))).\(field).\(index)"
    }

    /// Nil for malformed text.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let name = Base64URL.decode(String(parts[0])), !name.isEmpty,
            let recordName = String(validating: name, as: UTF8.self), let index = Int(parts[2]), index >= 0
        else { return nil }
        self.init(recordName: recordName, field: String(parts[1]), index: index)
    }

    /// A short hash that distinguishes the files of one page: a form can send thousands.
    package var mark: String { Base64URL.encode(Array(SHA256.hash(data: Data(text.utf8)).prefix(8))) }
}
