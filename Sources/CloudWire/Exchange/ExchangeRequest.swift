import CloudIdentity
import CloudModel

/// The body of `POST /auth/exchange`.
struct ExchangeRequest: Sendable {
    let provider: String
    /// Never logged.
    let idToken: String
    let nonce: String
    /// Apple's code, which is redeemed for a token that ends the connection one day.
    let authorizationCode: String?
    /// Apple tells a name once, to the app alone.
    let givenName: String?
    let familyName: String?
    let persistent: Bool

    private static let longestCode = 4096
    private static let longestName = 256

    /// - Throws: `BAD_REQUEST` with the field and its limit.
    init(_ body: JSONObject) throws {
        provider = try Self.text("provider", in: body, atMost: 64)
        idToken = try Self.text("idToken", in: body, atMost: SignedToken.longest)
        nonce = try Self.text("nonce", in: body, atMost: 512)
        authorizationCode = try Self.optional("authorizationCode", in: body, atMost: Self.longestCode)
        persistent = try Self.flag("persistent", in: body) ?? true
        guard let name = body["name"], name != .null else {
            (givenName, familyName) = (nil, nil)
            return
        }
        guard let name = name.object else {
            throw ServerError.badRequest("name: must be an object with givenName and familyName")
        }
        givenName = ToldName.cleaned(try Self.optional("givenName", in: name, atMost: Self.longestName))
        familyName = ToldName.cleaned(try Self.optional("familyName", in: name, atMost: Self.longestName))
    }

    static func text(_ key: String, in object: JSONObject, atMost limit: Int) throws -> String {
        guard let text = try optional(key, in: object, atMost: limit), !text.isEmpty else {
            throw ServerError.badRequest("\(known: key): missing; it must be a string of 1 to \(limit) bytes")
        }
        return text
    }

    static func optional(_ key: String, in object: JSONObject, atMost limit: Int) throws -> String? {
        guard let value = object[key], value != .null else { return nil }
        guard let text = value.string else {
            throw ServerError.badRequest("\(known: key): must be a string, not \(known: value.kind)")
        }
        guard text.utf8.count <= limit else {
            throw ServerError.badRequest("\(known: key): is longer than \(limit) bytes", .limit(limit))
        }
        return text
    }

    private static func flag(_ key: String, in object: JSONObject) throws -> Bool? {
        guard let value = object[key], value != .null else { return nil }
        guard let flag = value.bool else {
            throw ServerError.badRequest("\(known: key): must be true or false, not \(known: value.kind)")
        }
        return flag
    }
}
