/// A cookie for the Set-Cookie header.
package struct Cookie: Sendable {
    enum SameSite: String, Sendable { case lax = "Lax", strict = "Strict" }

    package let name: String
    package let value: String
    /// Seconds; nil for a session cookie.
    package var maxAge: Int?
    package var path: String
    package var isSecure: Bool
    var sameSite: SameSite

    /// The value of the Set-Cookie header.
    var text: String {
        var text = "\(name)=\(value)"
        if let maxAge { text += "; Max-Age=\(maxAge)" }
        text += "; Path=\(path)"
        if isSecure { text += "; Secure" }
        return text + "; HttpOnly; SameSite=\(sameSite.rawValue)"
    }
}

extension Request {
    /// The value of the named cookie; nil if absent.
    package func cookie(_ name: String) -> String? {
        for field in headers[values: .cookie] {
            for pair in field.utf8.split(separator: UInt8(ascii: ";")) {
                let pair = Substring(pair).drop { $0.isWhitespace }
                if let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")), pair[..<equals] == name {
                    return String(pair[pair.utf8.index(after: equals)...])
                }
            }
        }
        return nil
    }
}

extension Response {
    mutating func setCookie(_ cookie: Cookie) {
        headers.append(HTTPField(name: .setCookie, value: cookie.text))
    }
}
