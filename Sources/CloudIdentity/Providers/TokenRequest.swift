import CloudModel

/// The request that redeems a code (OpenID Connect Core §3.1.3.1).
package struct TokenRequest: Hashable, Sendable {
    /// The value of the header `Authorization`; nil where client and secret are in the body.
    package let authorization: String?
    /// Parameters of the form, in their order.
    package let parameters: [Parameter]

    package struct Parameter: Hashable, Sendable {
        package let name: String
        package let value: String

        init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
    }

    /// - Parameters:
    ///   - redirect: the redirect URI of the authorization request; nil for a code that a native app got.
    ///   - proof: nil for a provider or an app that uses none.
    package init(
        code: String, redirect: String?, proof: ProofKey?, client: String, secret: String,
        authentication: DiscoveryDocument.ClientAuthentication
    ) {
        var parameters = [Parameter("grant_type", "authorization_code"), Parameter("code", code)]
        if let redirect { parameters.append(Parameter("redirect_uri", redirect)) }
        if let proof { parameters.append(Parameter("code_verifier", proof.verifier)) }
        switch authentication {
        case .basic:
            // RFC 6749 §2.3.1: both are encoded as in a form first.
            let pair = "\(FormText.encoded(client)):\(FormText.encoded(secret))"
            authorization = "Basic \(Base64.encode(Array(pair.utf8)))"
        case .post:
            authorization = nil
            parameters += [Parameter("client_id", client), Parameter("client_secret", secret)]
        }
        self.parameters = parameters
    }

    /// The body, as `application/x-www-form-urlencoded`.
    package var body: String {
        parameters.map { "\(FormText.encoded($0.name))=\(FormText.encoded($0.value))" }.joined(separator: "&")
    }
}

/// Text in forms (WHATWG URL §5.2).
package enum FormText {
    private static let hexDigits = Array("0123456789ABCDEF".utf8)

    package static func encoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"):
                bytes.append(byte)
            case UInt8(ascii: " "): bytes.append(UInt8(ascii: "+"))
            default: bytes += [UInt8(ascii: "%"), hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
