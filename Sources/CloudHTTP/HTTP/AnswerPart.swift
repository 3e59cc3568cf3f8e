package import NIOCore

/// A part of an answer, listed in writing order.
package enum AnswerPart {
    /// An interim answer: 100 or 102.
    case informational(HTTPResponse.Status)
    /// An answer with its full body.
    case whole(Response, isLast: Bool)
    /// The head of a streamed answer.
    case head(Response, isLast: Bool)
    case body(ByteBuffer)
    case file(FileRegion)
    case end
}
