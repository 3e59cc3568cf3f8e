/// The route for asset bytes, with its own limits.
package enum UploadRoute {
    package static let name = "/uploads"

    /// Bytes allowed for the multipart framing around a file.
    private static let formBytes = 64 << 10

    static func takes(_ request: HTTPRequest) -> Bool { request.path?.hasPrefix(name + "/") ?? false }

    /// Largest body of an upload, in bytes.
    package static func largestBody(_ headers: HTTPFields, assetBytes: Int) -> Int {
        SinglePart(contentType: headers[.contentType]) == nil ? assetBytes : assetBytes + formBytes
    }
}
