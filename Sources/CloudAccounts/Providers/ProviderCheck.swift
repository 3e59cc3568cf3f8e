import CloudIdentity
import CloudModel

/// The limits of providers.
package enum ProviderLimits {
    /// The number of providers.
    package static let providers = 50
    /// Characters of a name.
    package static let name = 32
    /// Characters of a title.
    package static let title = 64
    /// Bytes of a client id, a group, a claim's name and an audience.
    package static let text = 255
    /// Bytes of a secret.
    package static let secret = 8192
    package static let scopes = 20
    package static let audiences = 20
    package static let tenants = 100
    /// Roles that groups give.
    package static let roles = 100
    /// Domains or groups of the rule who may come in.
    package static let admitted = 100
}

extension SignInProvider {
    /// Returns true for a name that a provider may have.
    package static func isName(_ name: String) -> Bool {
        (1...ProviderLimits.name).contains(name.utf8.count) && name.first != "-"
            && name.utf8.allSatisfy {
                $0 == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }
    }

    /// Brings lists and texts into the form that is stored, and refuses what a provider cannot have.
    ///
    /// - Throws: `BAD_REQUEST` with the field, its limit and the reason.
    mutating func check() throws(ServerError) {
        guard Self.isName(name) else {
            throw .badRequest("name: must be 1 to \(ProviderLimits.name) characters of a-z, 0-9 and -, the first no -")
        }
        title = title.split(separator: " ").joined(separator: " ")
        guard (1...ProviderLimits.title).contains(title.count), ToldName.cleaned(title) == title else {
            throw .badRequest("title: must be 1 to \(ProviderLimits.title) characters without control characters")
        }
        guard Self.isText(clientID) else {
            throw .badRequest("clientID: must be 1 to \(ProviderLimits.text) printable ASCII characters")
        }
        try checkIssuer()
        try checkScopes()
        try checkAdmission()
        try checkRoles()
        try checkKind()
    }

    private mutating func checkRoles() throws(ServerError) {
        var known: [GroupRole] = []
        for role in roles where !known.contains(where: { $0.text.isExactly(role.text) }) { known.append(role) }
        roles = known
        guard roles.isEmpty || kind != .github else { throw .badRequest("roles: GitHub tells no groups") }
        guard roles.count <= ProviderLimits.roles,
            roles.allSatisfy({ Self.isGroup($0.group) && Self.isGroup($0.role.text) })
        else {
            throw .badRequest(
                "roles: at most \(ProviderLimits.roles), whose groups and roles have 1 to \(ProviderLimits.text) bytes "
                    + "without control characters")
        }
    }

    private mutating func checkIssuer() throws(ServerError) {
        if let fixed = kind.fixedIssuer {
            guard issuer == fixed else {
                throw .badRequest(
                    "issuer: providers of the kind \(known: kind.rawValue) have the issuer \(known: fixed)")
            }
            guard !allowsHTTP else {
                throw .badRequest("allowsHTTP: is not for providers of the kind \(known: kind.rawValue)")
            }
            return
        }
        guard !issuer.isEmpty else {
            throw .badRequest("issuer: is missing; providers of the kind \(known: kind.rawValue) have one of their own")
        }
        do { _ = try ProviderURL(issuer, allowsHTTP: allowsHTTP) } catch {
            throw .badRequest("issuer: \(known: error.rawValue)")
        }
        guard !issuer.contains("?") else { throw .badRequest("issuer: it must have no query") }
        guard !issuer.hasSuffix("/.well-known/openid-configuration") else {
            throw .badRequest("issuer: leave /.well-known/openid-configuration out")
        }
    }

    private mutating func checkScopes() throws(ServerError) {
        scopes = scopes.isEmpty ? kind.usualScopes : Self.unique(scopes)
        // RFC 6749 §3.3.
        let isValid = scopes.count <= ProviderLimits.scopes && scopes.allSatisfy(Self.isScope)
        guard isValid else {
            throw .badRequest(
                "scopes: at most \(ProviderLimits.scopes), of 1 to \(ProviderLimits.text) ASCII characters without "
                    + "space, \" and \\")
        }
        guard kind == .apple || kind == .github || scopes.contains("openid") else {
            throw .badRequest("scopes: must have openid")
        }
        guard Self.isText(groupsClaim) else {
            throw .badRequest("groupsClaim: must be 1 to \(ProviderLimits.text) printable ASCII characters")
        }
        nativeAudiences = try Self.checked(audiences: nativeAudiences, in: "nativeAudiences")
    }

    private mutating func checkAdmission() throws(ServerError) {
        switch admission {
        case .everybody, .invited, .nobody: return
        case .domains(let names):
            var domains: [String] = []
            for name in names {
                guard !name.contains("@"), let domain = SignInAdmission.domain(of: "x@\(name)"), Self.isDomain(domain)
                else {
                    throw .badRequest("admitted: '\(name.prefix(64))' is not a domain such as example.com")
                }
                domains.append(domain)
            }
            admission = .domains(Self.unique(domains))
        case .groups(let names):
            guard names.allSatisfy({ Self.isGroup($0) }) else {
                throw .badRequest(
                    "admitted: a group has 1 to \(ProviderLimits.text) bytes without control characters")
            }
            admission = .groups(Self.unique(names))
        }
        guard (1...ProviderLimits.admitted).contains(admission.names.count) else {
            throw .badRequest(
                "admitted: the rule '\(known: admission.kind.rawValue)' needs 1 to \(ProviderLimits.admitted) names")
        }
        guard kind != .github || admission.kind != .groups else {
            throw .badRequest("admission: GitHub tells no groups")
        }
    }

    private mutating func checkKind() throws(ServerError) {
        tenants = Self.unique(tenants.map { $0.lowercased() })
        guard kind == .microsoft else {
            guard tenants.isEmpty else { throw .badRequest("tenants: are for providers of the kind microsoft") }
            guard kind == .apple || appleKey == nil else {
                throw .badRequest("team: team and key id are for providers of the kind apple")
            }
            guard kind != .apple || appleKey != nil else {
                throw .badRequest("team: Apple's team id and key id are needed, of 10 characters each")
            }
            return
        }
        guard appleKey == nil else { throw .badRequest("team: team and key id are for providers of the kind apple") }
        guard (1...ProviderLimits.tenants).contains(tenants.count), tenants.allSatisfy(Self.isTenant) else {
            throw .badRequest(
                "tenants: 1 to \(ProviderLimits.tenants) ids such as 9188040d-6c67-4c5b-b112-36a304b66dad are needed; "
                    + "the overview of the directory shows its id")
        }
    }

    /// Refuses a secret that the provider cannot use.
    func check(secret: ProviderSecret) throws(ServerError) {
        guard (1...ProviderLimits.secret).contains(secret.text.utf8.count) else {
            throw .badRequest("secret: must be 1 to \(ProviderLimits.secret) bytes")
        }
        guard kind == .apple, let appleKey else {
            // RFC 6749 appendix A.2.
            guard secret.text.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else {
                throw .badRequest("secret: has a line break, or a character that is no printable ASCII")
            }
            return
        }
        do { _ = try AppleClientSecret(team: appleKey.team, keyID: appleKey.key, key: secret.text) } catch {
            throw .badRequest("\(known: error == .key ? "secret" : "team"): \(known: error.rawValue)")
        }
    }
}

extension SignInProvider {
    /// Client ids and bundle ids, each once.
    ///
    /// - Throws: `BAD_REQUEST` that names the field.
    static func checked(audiences: [String], in field: String) throws(ServerError) -> [String] {
        let names = unique(audiences)
        guard names.count <= ProviderLimits.audiences, names.allSatisfy(isText) else {
            throw .badRequest(
                "\(known: field): at most \(ProviderLimits.audiences), of 1 to \(ProviderLimits.text) printable ASCII "
                    + "characters")
        }
        return names
    }

    private static func isText(_ text: String) -> Bool {
        (1...ProviderLimits.text).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7e).contains($0) }
    }

    private static func isScope(_ text: String) -> Bool {
        isText(text)
            && !text.utf8.contains { [UInt8(ascii: " "), UInt8(ascii: "\""), UInt8(ascii: "\\")].contains($0) }
    }

    private static func isGroup(_ text: String) -> Bool {
        (1...ProviderLimits.text).contains(text.utf8.count) && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
    }

    private static func isDomain(_ text: String) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= 253 && labels.count >= 2
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                    && label.utf8.allSatisfy {
                        $0 == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    }
            }
    }

    private static func isTenant(_ text: String) -> Bool {
        let places = [8, 13, 18, 23]
        return text.utf8.count == 36
            && text.utf8.enumerated().allSatisfy { place, byte in
                places.contains(place) ? byte == UInt8(ascii: "-") : Character(UnicodeScalar(byte)).isHexDigit
            }
    }

    private static func unique(_ texts: [String]) -> [String] {
        var known: [String] = []
        for text in texts where !known.containsExactly(text) { known.append(text) }
        return known
    }
}
