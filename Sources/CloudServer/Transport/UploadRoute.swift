/// The route that takes the bytes of assets, to which other limits apply than to requests.
enum UploadRoute {
    static let name = "/uploads"

    /// The bytes that may surround a file in a form.
    private static let formBytes = 64 << 10

    static func takes(_ request: HTTPRequest) -> Bool { request.path?.hasPrefix(name + "/") ?? false }

    /// Bytes the body of an upload may have.
    static func largestBody(_ headers: HTTPFields, assetBytes: Int) -> Int {
        SinglePart(contentType: headers[.contentType]) == nil ? assetBytes : assetBytes + formBytes
    }
}
