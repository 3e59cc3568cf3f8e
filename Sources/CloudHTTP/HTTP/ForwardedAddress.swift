import NIOCore

/// An `X-Forwarded-For` entry: an address with an optional port.
///
/// `203.0.113.7`, `203.0.113.7:51234`, `2001:db8::1`, `[2001:db8::1]`, `[2001:db8::1]:443` (Azure Application Gateway and
/// IIS add ports), any of these in quotes as in `Forwarded` (RFC 7239 §6), and IPv6 with a zone. The port is ignored,
/// even a malformed port.
enum ForwardedAddress {
    static func read(_ entry: String) -> SocketAddress? {
        var text = Substring(entry)
        if text.count > 1, text.first == "\"", text.last == "\"" { text = text.dropFirst().dropLast() }
        if text.first == "[" {
            text = text.dropFirst().prefix { $0 != "]" }
        } else if let colon = text.firstIndex(of: ":"), !text[text.index(after: colon)...].contains(":") {
            text = text[..<colon]
        }
        return try? SocketAddress(ipAddress: String(text.prefix { $0 != "%" }), port: 0)
    }
}
