import CloudModel
import CloudCrypto
import Foundation

/// The key of one file of one record, in a form that may stand in a URL. The server checks anew, each time the key
/// comes back, that the file belongs to the page at hand.
struct ItemKey: Hashable, Sendable {
    let recordName: String
    let field: String
    /// The place in a list; 0 for a field with one file.
    let index: Int
    /// The same as one text.
    let text: String

    init(recordName: String, field: String, index: Int) {
        self.recordName = recordName
        self.field = field
        self.index = index
        text = "\(Base64URL.encode(Array(recordName.utf8))).\(field).\(index)"
    }

    /// Nil for a text that is none.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let name = Base64URL.decode(String(parts[0])), !name.isEmpty,
            let recordName = String(validating: name, as: UTF8.self), let index = Int(parts[2]), index >= 0
        else { return nil }
        self.init(recordName: recordName, field: String(parts[1]), index: index)
    }

    /// A short name for it, enough to tell the files of one page apart: of these a form can send thousands.
    var mark: String { Base64URL.encode(Array(SHA256.hash(data: Data(text.utf8)).prefix(8))) }
}
