package import CloudModel
package import CloudStore
import NIOCore

extension Response {
    package static func json(_ writer: JSONWriter, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: jsonFields,
            body: ResponseBody(bytes: writer.bytes))
    }

    /// Sizes worth compressing, in bytes: smaller answers gain nothing, larger answers take more than 10 ms.
    private static let packedSizes = (4 << 10)...(1 << 20)

    /// A JSON answer counted by `allowance`, streamed if large.
    ///
    /// - Parameter isPacked: true to compress with gzip if that saves bytes.
    package static func json(
        _ writer: JSONWriter, counting allowance: ResponseAllowance, isPacked: Bool = false
    ) -> Response {
        let bytes = writer.bytes
        if isPacked, packedSizes.contains(bytes.count),
            let packed = Gzip.pack(ByteBuffer(bytes: bytes), level: Gzip.quickest)
        {
            allowance.count(packed.readableBytes)
            var fields = jsonFields
            (fields[.contentEncoding], fields[.vary]) = ("gzip", "Accept-Encoding")
            return Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: packed))
        }
        allowance.count(bytes.count)
        guard bytes.count > piece else { return .json(writer) }
        return Response(
            status: .ok, headers: jsonFields,
            body: ResponseBody(contentLength: bytes.count) { writer in
                for start in stride(from: 0, to: bytes.count, by: piece) {
                    try await writer.write(ByteBuffer(bytes: bytes[start..<min(start + piece, bytes.count)]))
                }
                try await writer.finish()
            })
    }

    private static let jsonFields: HTTPFields = [.contentType: "application/json; charset=UTF-8"]
    private static let piece = 256 << 10
}
