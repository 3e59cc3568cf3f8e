/// A kind of placeholder.
package enum PathName: Sendable {
    case environment, database, container
    /// Any segment, even empty.
    case name
    /// The rest of the path.
    case path
    case other

    package init(_ text: Substring) {
        self =
            switch text {
            case "environment": .environment
            case "database": .database
            case "container": .container
            case "name": .name
            case "path": .path
            default: .other
            }
    }
}
