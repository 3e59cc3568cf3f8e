package import NIOCore
package import NIOHTTP1

/// A part of a request, in order: head, pieces of the body, end.
package enum RequestPart: Sendable {
    case head(HTTPRequest)
    case body(ByteBuffer)
    case end
}

extension HTTPRequest {
    /// Converts the head of an HTTP/1 request.
    package convenience init(_ head: HTTPRequestHead) {
        var authority: String?
        var fields = HTTPFields()
        fields.reserveCapacity(head.headers.count)
        for (name, value) in head.headers {
            let field = HTTPField(name: HTTPField.Name(token: name), value: value)
            if authority == nil, field.name == .host { authority = field.value } else { fields.append(field) }
        }
        // HTTP/1.0 requires no Host: an empty authority keeps ``HostField`` from refusing the request.
        if authority == nil, head.version.isEarlier { authority = "" }
        self.init(
            method: Method(head.method), authority: authority, path: Self.path(of: head.uri),
            headerFields: fields)
    }

    /// Path and query of a request target; for an absolute URL (RFC 9112 §3.2.2), the part after the host.
    package static func path(of target: String) -> String {
        if target.utf8.first == UInt8(ascii: "/") { return target }
        let bytes = target.utf8
        let scheme = bytes.prefix(while: isSchemeByte)
        let rest = bytes[scheme.endIndex...]
        guard rest.starts(with: "://".utf8) else { return target }
        let path = rest.dropFirst(3).drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        return path.first == UInt8(ascii: "/") ? String(path) ?? "/" : "/" + (String(path) ?? "")
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}

extension HTTPVersion {
    /// True before HTTP/1.1.
    var isEarlier: Bool { major < 1 || major == 1 && minor < 1 }
}
