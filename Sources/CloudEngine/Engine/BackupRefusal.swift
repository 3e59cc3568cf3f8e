/// The refusal of an engine that leaves backups to its own tools, in words for the operator.
package struct BackupRefusal: Error, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
