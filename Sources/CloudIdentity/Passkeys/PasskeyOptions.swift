package import CloudModel

/// What the browser is asked for, as `parseCreationOptionsFromJSON` and `parseRequestOptionsFromJSON` take it.
package struct PasskeyOptions: Sendable {
    /// How long a challenge is good, in seconds.
    package static let validity: Int64 = 300

    /// A passkey that an account has.
    package struct Known: Sendable {
        package let id: [UInt8]
        package let transports: [String]

        package init(id: [UInt8], transports: [String]) { (self.id, self.transports) = (id, transports) }
    }

    private let rules: PasskeyRules

    package init(rules: PasskeyRules) { self.rules = rules }

    /// The name of the site for people who are asked for a passkey.
    package var siteName: String { rules.relyingParty.id }

    /// 32 random bytes.
    package static func challenge() -> [UInt8] { RandomBits.bytes(32, .secrets) }

    /// A new `user.id`: 32 random bytes, which tell nothing about the account.
    package static func userHandle() -> [UInt8] { RandomBits.bytes(32, .secrets) }

    /// - Parameters:
    ///   - name: distinguishes accounts of a person, such as an address.
    ///   - existing: the account's passkeys: their authenticators make no second one.
    package func creation(
        challenge: [UInt8], siteName: String, userHandle: [UInt8], name: String, displayName: String, existing: [Known]
    ) -> JSONValue {
        .members([
            "rp": .members(["id": .string(rules.relyingParty.id), "name": .string(siteName)]),
            "user": .members([
                "id": .string(Base64URL.encode(userHandle)), "name": .string(name), "displayName": .string(displayName),
            ]),
            "challenge": .string(Base64URL.encode(challenge)),
            "pubKeyCredParams": .array(
                rules.algorithms.map {
                    .members(["type": .string("public-key"), "alg": .integer($0.rawValue)])
                }),
            "timeout": .integer(Self.validity * 1000),
            "excludeCredentials": .array(existing.map(Self.descriptor)),
            "authenticatorSelection": .members([
                "residentKey": .string("required"), "requireResidentKey": .bool(true),
                "userVerification": .string(verification),
            ]),
            "attestation": .string("none"),
        ])
    }

    /// - Parameter allowed: the passkeys that may answer; any discoverable one if empty.
    package func request(challenge: [UInt8], allowed: [Known] = []) -> JSONValue {
        .members([
            "challenge": .string(Base64URL.encode(challenge)),
            "timeout": .integer(Self.validity * 1000),
            "rpId": .string(rules.relyingParty.id),
            "allowCredentials": .array(allowed.map(Self.descriptor)),
            "userVerification": .string(verification),
        ])
    }

    private var verification: String { rules.requiresUserVerification ? "required" : "preferred" }

    private static func descriptor(_ passkey: Known) -> JSONValue {
        .members([
            "type": .string("public-key"), "id": .string(Base64URL.encode(passkey.id)),
            "transports": .array(passkey.transports.map(JSONValue.string)),
        ])
    }
}
