package import CloudModel

/// A browser's answer to `navigator.credentials.create`, as `toJSON()` gives it.
package struct RegistrationAnswer: Sendable {
    package let id: [UInt8]
    package let clientData: [UInt8]
    package let attestationObject: [UInt8]
    /// How the authenticator can be reached, at most 10 names.
    package let transports: [String]

    private static let mostTransports = 10

    package init(_ object: JSONObject) throws(PasskeyFault) {
        let reader = try AnswerReader(object)
        id = reader.id
        clientData = try reader.bytes("clientDataJSON")
        attestationObject = try reader.bytes("attestationObject")
        let names = reader.response["transports"]?.array ?? []
        transports = names.compactMap(\.string).filter(Self.isTransport).prefix(Self.mostTransports).map(\.self)
    }

    package init(id: [UInt8], clientData: [UInt8], attestationObject: [UInt8], transports: [String] = []) {
        (self.id, self.clientData, self.attestationObject) = (id, clientData, attestationObject)
        self.transports = transports
    }

    private static func isTransport(_ name: String) -> Bool {
        (1...32).contains(name.utf8.count) && name.utf8.allSatisfy { (0x61...0x7a).contains($0) || $0 == 0x2d }
    }
}

/// A browser's answer to `navigator.credentials.get`, as `toJSON()` gives it.
package struct AssertionAnswer: Sendable {
    package let id: [UInt8]
    package let clientData: [UInt8]
    package let authenticatorData: [UInt8]
    package let signature: [UInt8]
    /// The `user.id` that the passkey was made with.
    package let userHandle: [UInt8]?

    package init(_ object: JSONObject) throws(PasskeyFault) {
        let reader = try AnswerReader(object)
        id = reader.id
        clientData = try reader.bytes("clientDataJSON")
        authenticatorData = try reader.bytes("authenticatorData")
        signature = try reader.bytes("signature")
        userHandle = reader.response["userHandle"] == nil ? nil : try reader.bytes("userHandle")
    }

    package init(
        id: [UInt8], clientData: [UInt8], authenticatorData: [UInt8], signature: [UInt8], userHandle: [UInt8]?
    ) {
        (self.id, self.clientData, self.authenticatorData) = (id, clientData, authenticatorData)
        (self.signature, self.userHandle) = (signature, userHandle)
    }
}

private struct AnswerReader {
    let id: [UInt8]
    let response: JSONObject

    init(_ object: JSONObject) throws(PasskeyFault) {
        guard object["type"]?.string == "public-key", let text = object["id"]?.string,
            let raw = object["rawId"]?.string, text.isExactly(raw), let id = Base64URL.decode(raw),
            let response = object["response"]?.object
        else { throw .answer }
        guard (1...AuthenticatorData.longestID).contains(id.count) else { throw .credentialID }
        (self.id, self.response) = (id, response)
    }

    func bytes(_ name: String) throws(PasskeyFault) -> [UInt8] {
        guard let text = response[name]?.string, let bytes = Base64URL.decode(text) else { throw .answer }
        return bytes
    }
}
