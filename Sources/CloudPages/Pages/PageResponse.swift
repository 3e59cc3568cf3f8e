package import CloudHTTP
import NIOCore

/// A page's content security policy; by default a page may only send its forms to this server.
package struct PagePolicy: Hashable, Sendable {
    /// Further targets that a form's answer may redirect to. Browsers apply the policy to redirects too.
    package var formTargets: [String] = []

    package init(formTargets: [String] = []) {
        self.formTargets = formTargets
    }

    package var text: String {
        let targets = (["'self'"] + formTargets).joined(separator: " ")
        return
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self'; font-src 'self'; "
            + "connect-src 'self'; form-action \(targets); base-uri 'none'; frame-ancestors 'none'"
    }
}

/// The compression of a page for a browser that accepts gzip.
package enum PagePacking {
    /// Uncompressed.
    case none
    /// Fully compressed, for a page without secrets.
    case whole
    /// Template text compressed, without comparing values.
    case templates

    /// The packing of a console page: template packing if the browser accepts gzip.
    package static func templates(for request: Request) -> PagePacking {
        Gzip.isTaken(by: request) ? .templates : .none
    }
}

extension Response {
    /// A page without an opener policy, because the page that opened a sign-in must keep access to the window
    /// (reference B §3.6).
    ///
    /// The referrer is kept within this server: without it, browsers send `Origin: null` with forms, which hides
    /// whether a form is the server's own.
    package static func page(
        _ page: RenderedPage, status: HTTPResponse.Status = .ok, policy: PagePolicy = PagePolicy(),
        packing: PagePacking = .none
    ) -> Response {
        let bytes = ByteBuffer(bytes: page.bytes)
        let packed =
            switch packing {
            case .none: ByteBuffer?.none
            case .whole: Gzip.pack(bytes)
            case .templates: PagePacker.pack(page)
            }
        var headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8",
            .cacheControl: "no-store",
            .policy.contentSecurity: policy.text,
            .xContentTypeOptions: "nosniff",
            .vary: "Accept-Language, Cookie",
            .policy.referrer: "same-origin",
            .frameOptions: "DENY",
            .policy.permissions: "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
        ]
        if packed != nil { headers[.contentEncoding] = "gzip" }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: packed ?? bytes))
    }

    /// True for an answer of ``page(_:status:policy:packing:)``, rendered for a single request.
    var isPage: Bool { headers[.frameOptions] != nil }
}
