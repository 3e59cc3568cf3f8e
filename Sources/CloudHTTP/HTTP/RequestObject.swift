package import CloudModel
package import NIOCore

extension Request {
    /// Parses a body as a JSON object, whatever its Content-Type; an empty body is an empty object (reference A §1.3).
    ///
    /// - Parameter mostValues: the limit `limit.requestValues`: parsed values take up to fifty times their bytes.
    package static func object(in body: ByteBuffer, mostValues: Int = .max) throws -> JSONObject {
        if body.readableBytes == 0 { return JSONObject() }
        let count = body.withUnsafeReadableBytes { ValueCount.bound($0, ifMoreThan: mostValues) }
        guard count <= mostValues else {
            throw ServerError.badRequest(
                "the request body holds \(count) JSON values, at most \(mostValues) are allowed (limit.requestValues)",
                .limit(mostValues, "limit.requestValues"))
        }
        do {
            let json = try body.withUnsafeReadableBytes { try JSONParser.parse($0) }
            guard case .object(let object) = json else {
                throw ServerError.badRequest("the request body must be a JSON object, not \(known: json.kind)")
            }
            return object
        } catch let failure as JSONParser.Failure {
            throw ServerError.badRequest("the request body is not valid JSON: \(known: failure.reason)")
        }
    }
}
