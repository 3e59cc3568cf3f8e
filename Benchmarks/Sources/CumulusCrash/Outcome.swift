import Traffic

/// What the writer knows of an operation it sent.
enum Outcome: Sendable {
    /// A 200 said so, with the record as it is now.
    case acknowledged(Version)
    /// The server said no, with this code.
    case refused(String)
    /// The connection broke before an answer came: done or not, but nothing in between.
    case unknown
}
