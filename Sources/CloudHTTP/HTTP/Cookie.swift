/// A cookie for the Set-Cookie header.
package struct Cookie: Sendable {
    package enum SameSite: String, Sendable { case lax = "Lax", strict = "Strict" }

    package let name: String
    package let value: String
    /// Seconds; nil for a session cookie.
    package var maxAge: Int?
    package var path: String
    package var isSecure: Bool
    package var sameSite: SameSite

    package init(name: String, value: String, maxAge: Int? = nil, path: String, isSecure: Bool, sameSite: SameSite) {
        self.name = name
        self.value = value
        self.maxAge = maxAge
        self.path = path
        self.isSecure = isSecure
        self.sameSite = sameSite
    }

    /// The value of the Set-Cookie header.
    package var text: String {
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
    package mutating func setCookie(_ cookie: Cookie) {
        headers.append(HTTPField(name: .setCookie, value: cookie.text))
    }
}
