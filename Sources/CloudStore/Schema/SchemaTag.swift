package import CloudModel
import CloudCrypto

extension SchemaDefinition {
    /// Stands for what the schema says: equal for equal schemas, another after any change.
    package var tag: String {
        SHA256.hash(data: Array(SchemaText.text(self).utf8)).prefix(16)
            .map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined()
    }

    /// - Parameter wanted: the tag of the schema that a change was planned for; nil for any.
    /// - Throws: `CONFLICT` when this is another.
    func require(tag wanted: String?) throws {
        guard let wanted, wanted != tag else { return }
        throw ServerError(
            .conflict, "the schema has changed since you compared it, so nothing was done; compare again",
            .schema(.changed))
    }
}
