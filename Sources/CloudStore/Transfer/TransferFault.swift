/// Why an export or an import cannot go on, in words for the operator who asked for it.
package struct TransferFault: Error, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }

    /// A line that cannot be taken in.
    init(file: String, line: Int, _ reason: String) { self.init("\(file), line \(line): \(reason)") }
}
