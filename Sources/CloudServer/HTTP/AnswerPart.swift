import NIOCore

/// A part of an answer, in the order in which the parts are written.
enum AnswerPart {
    /// An answer before the last: 100 or 102.
    case informational(HTTPResponse.Status)
    /// An answer with all of its body.
    case whole(Response, isLast: Bool)
    /// The head of an answer whose body follows in pieces.
    case head(Response, isLast: Bool)
    case body(ByteBuffer)
    case file(FileRegion)
    case end
}
