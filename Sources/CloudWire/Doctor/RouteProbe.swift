import CloudAccounts
package import CloudHTTP
import CloudModel
import NIOCore

/// `/doctor/…`: reports the route of a request to the server, for `cumulus doctor` only.
///
/// The answer is sent in two parts, a second apart, so that the caller can detect proxies that buffer answers.
package struct RouteProbe: Sendable {
    private static let pause = Duration.seconds(1)

    package let service: WireService

    package init(service: WireService) {
        self.service = service
    }

    /// - Throws: the error of an unknown path, without a valid token.
    package func respond(_ request: Request, _ context: CloudRequestContext) throws -> Response {
        let (accounts, words) = (service.accounts, request.headers[.authorization]?.split(separator: " ") ?? [])
        guard words.count == 2, words[0].lowercased() == "bearer",
            try ProbeToken(accounts).isGood(String(words[1]), accounts.now())
        else { throw ServerError(.notFound, UnknownPath.reason(request.path), .address) }
        var writer = JSONWriter(capacity: 256)
        writer.object {
            $0.member("target", request.head.path ?? "")
            $0.member("host", request.head.authority ?? "")
            $0.member("address", service.bounds.address(of: request, context))
            $0.member("isForwarded", request.headers[.forwardedFor] != nil)
        }
        let (first, recipient) = (ByteBuffer(bytes: writer.bytes + [UInt8(ascii: "\n")]), context.recipient)
        return Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                try await recipient.send(first, through: &writer)
                try await Task.sleep(for: Self.pause)
                try await recipient.send(ByteBuffer(string: "\n"), through: &writer)
                try await recipient.finish(through: &writer)
            })
    }
}
