import NIOCore

/// The things that a page may do beyond showing itself; by default nothing but send its forms back here.
package struct PagePolicy: Hashable, Sendable {
    /// The targets that a form's answer may lead the browser to, besides this server. Browsers hold redirects to the
    /// policy as well.
    package var formTargets: [String] = []

    package init(formTargets: [String] = []) {
        self.formTargets = formTargets
    }

    var text: String {
        let targets = (["'self'"] + formTargets).joined(separator: " ")
        return
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self'; font-src 'self'; "
            + "connect-src 'self'; form-action \(targets); base-uri 'none'; frame-ancestors 'none'"
    }
}

/// How a page is sent to a browser that takes gzip.
enum PagePacking {
    /// As it is.
    case none
    /// All of it packed: for a page that holds no secret.
    case whole
    /// The templates' own text packed, and no value compared with anything.
    case templates

    /// The packing of a console page: template packing if the browser accepts gzip.
    static func templates(for request: Request) -> PagePacking { Gzip.isTaken(by: request) ? .templates : .none }
}

extension Response {
    /// A page. No opener policy, since the page that opened a sign-in must stay reachable from it (reference B §3.6).
    ///
    /// The referrer is kept for this server's own pages, because without any a browser sends `Origin: null` with a
    /// form, and nothing would tell our own forms from foreign ones.
    ///
    static func page(
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
            .contentSecurityPolicy: policy.text,
            .xContentTypeOptions: "nosniff",
            .referrerPolicy: "same-origin",
            .frameOptions: "DENY",
            .permissionsPolicy: "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
        ]
        if packed != nil { headers[.contentEncoding] = "gzip" }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: packed ?? bytes))
    }

    /// True for ``page(_:status:policy:packing:)``, whose bytes are made for one request.
    var isPage: Bool { headers[.frameOptions] != nil }

    /// A redirect with GET after a form (303).
    package static func seeOther(_ location: String) -> Response {
        Response(
            status: .seeOther,
            headers: [.location: location, .cacheControl: "no-store", .referrerPolicy: "same-origin"])
    }
}
