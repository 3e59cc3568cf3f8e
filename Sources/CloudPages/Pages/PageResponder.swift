import CloudWire
package import CloudHTTP
import CloudModel
import CloudStore
import NIOCore

/// Answers browsers' requests for pages.
package struct PageResponder: Sendable {
    /// The form limit in bytes; a selection of 5,000 photos takes 70 KB.
    private static let largestForm = 128 << 10

    package let site: Site
    package let bounds: RequestBounds

    package init(site: Site, bounds: RequestBounds) {
        self.site = site
        self.bounds = bounds
    }

    package func respond(
        _ request: Request, _ endpoint: @escaping PageEndpoint, parameters: [String], context: CloudRequestContext
    ) async throws -> Response {
        let address = bounds.address(of: request, context)
        let ticket = try bounds.requests.ticket(for: address)
        context.exchange?.hold(ticket)
        defer { ticket.releaseBytes() }
        let body =
            request.method == .post
            ? try await request.collect(atMost: Self.largestForm, counting: ticket) : ByteBuffer()
        let call = PageCall(
            site: site, request: request, parameters: parameters, query: FormFields(request.query.utf8),
            form: FormFields(body.readableBytesView),
            client: site.wire.http.client(of: request, context), sender: context.sender,
            recipient: context.recipient,
            language: site.language(of: request), trace: context.trace)
        var response = try await bounds.reading(as: address, context) { try await endpoint(call) }
        site.keepLanguage(of: request, in: &response)
        try count(response, to: request, for: address, context)
        return response
    }

    /// Counts a page's bytes against the address until the browser has received them. A GET changes nothing, so its
    /// page may still be refused.
    private func count(
        _ response: Response, to request: Request, for address: String, _ context: CloudRequestContext
    ) throws(ServerError) {
        guard response.isPage, let bytes = response.body.contentLength else { return }
        let allowance = bounds.allowance(for: address)
        if request.method == .post { allowance.count(bytes) } else { try allowance.take(bytes) }
        context.exchange?.hold(allowance)
    }
}
