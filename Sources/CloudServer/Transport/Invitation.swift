/// Answers `Expect: 100-continue`, with which curl and others ask before they send a large body, and wait.
///
/// A body announced over the limit is not asked for: its refusal comes instead.
struct Invitation {
    let largestBody: Int
    let assetBytes: Int

    /// Whether a request waits to hear that its body is welcome.
    func isFor(_ request: HTTPRequest) -> Bool {
        guard request.headerFields[.expect]?.lowercased() == "100-continue" else { return false }
        let largest =
            UploadRoute.takes(request)
            ? UploadRoute.largestBody(request.headerFields, assetBytes: assetBytes) : largestBody
        return request.headerFields[.contentLength].flatMap { Int($0) }.map { $0 <= largest } ?? true
    }
}
