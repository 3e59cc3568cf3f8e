/// An index mark of a field, used by a query.
package struct UsedMark: Hashable, Sendable {
    /// The name in the schema.
    package let field: String
    package let mark: IndexKind

    package init(field: String, mark: IndexKind) {
        self.field = field
        self.mark = mark
    }
}
