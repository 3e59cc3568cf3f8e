import CloudModel

/// People without an account whom a provider may bring.
package enum SignInAdmission: Hashable, Sendable {
    case everybody
    /// People with an address of one of these domains that the provider vouches for.
    case domains([String])
    /// People in one of these groups.
    case groups([String])
    /// People for whom an operator made an account.
    case invited
    case nobody

    /// The rule's name in commands and answers.
    package enum Kind: String, CaseIterable, Codable, Sendable { case everybody, domains, groups, invited, nobody }

    package var kind: Kind {
        switch self {
        case .everybody: .everybody
        case .domains: .domains
        case .groups: .groups
        case .invited: .invited
        case .nobody: .nobody
        }
    }

    /// The domains or groups of the rule.
    package var names: [String] {
        switch self {
        case .domains(let names), .groups(let names): names
        case .everybody, .invited, .nobody: []
        }
    }

    package init(kind: Kind, names: [String]) {
        switch kind {
        case .everybody: self = .everybody
        case .domains: self = .domains(names)
        case .groups: self = .groups(names)
        case .invited: self = .invited
        case .nobody: self = .nobody
        }
    }
}

extension SignInAdmission {
    package enum Verdict: Hashable, Sendable {
        case admitted
        /// Only with an account that an operator made.
        case onlyInvited
        case refused(Refusal)
    }

    /// The reason why a person may not come in.
    package enum Refusal: String, CaseIterable, Sendable {
        case address = "the provider told no address that it vouches for"
        case domain = "the address is of a domain that may not come in"
        case group = "the person is in none of the groups that may come in"
        case nobody = "the provider brings nobody without an account"
    }

    /// Judges a person whom no account is connected with.
    ///
    /// - Parameters:
    ///   - address: the address that the provider vouches for; nil for none.
    ///   - groups: the names in the provider's groups claim, compared byte by byte.
    package func verdict(address: String?, groups: [String]) -> Verdict {
        switch self {
        case .everybody: .admitted
        case .invited: .onlyInvited
        case .nobody: .refused(.nobody)
        case .groups(let allowed):
            groups.contains { allowed.containsExactly($0) } ? .admitted : .refused(.group)
        case .domains(let allowed): Self.verdict(on: address, allowed)
        }
    }

    private static func verdict(on address: String?, _ allowed: [String]) -> Verdict {
        guard let address, let domain = domain(of: address) else { return .refused(.address) }
        return allowed.containsExactly(domain) ? .admitted : .refused(.domain)
    }

    /// The domain in ASCII and lower case; nil for a text that is no address.
    static func domain(of address: String) -> String? {
        let key = AddressKey.make(address)
        guard let at = key.lastIndex(of: "@") else { return nil }
        let domain = key[key.index(after: at)...]
        return domain.isEmpty ? nil : String(domain)
    }
}
