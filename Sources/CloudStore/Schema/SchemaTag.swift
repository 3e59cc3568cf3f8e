package import CloudModel
import CloudCrypto

extension SchemaDefinition {
    /// A digest of the schema text: equal schemas have equal tags.
    package var tag: String {
        SHA256.hash(data: Array(SchemaText.text(self).utf8)).prefix(16)
            .map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined()
    }

    /// - Parameter wanted: the schema tag expected by the change; nil for any.
    /// - Throws: `CONFLICT` when the tags differ.
    func require(tag wanted: String?) throws {
        guard let wanted, wanted != tag else { return }
        throw ServerError(
            .conflict, "the schema has changed since you compared it, so nothing was done; compare again",
            .schema(.changed))
    }
}
