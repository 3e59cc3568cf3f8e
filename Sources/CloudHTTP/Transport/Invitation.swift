/// Decides about `Expect: 100-continue`, which curl and other clients send before a large body.
///
/// For a Content-Length over the limit, the client gets the refusal instead of `100 Continue`.
package struct Invitation {
    package let largestBody: Int
    package let assetBytes: Int

    package init(largestBody: Int, assetBytes: Int) {
        self.largestBody = largestBody
        self.assetBytes = assetBytes
    }

    /// True if the client waits for `100 Continue` and its body fits the limit.
    package func isFor(_ request: HTTPRequest) -> Bool {
        guard request.headerFields[.expect]?.lowercased() == "100-continue" else { return false }
        let largest =
            UploadRoute.takes(request)
            ? UploadRoute.largestBody(request.headerFields, assetBytes: assetBytes) : largestBody
        return request.headerFields[.contentLength].flatMap { Int($0) }.map { $0 <= largest } ?? true
    }
}
