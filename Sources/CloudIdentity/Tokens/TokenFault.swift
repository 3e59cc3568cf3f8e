/// The reason why a token was refused. Holds no text of the token, since causes are logged.
package enum TokenFault: String, Error, CaseIterable, Sendable {
    case size = "the token is longer than 16 KB"
    case parts = "the token does not have three parts"
    case encoding = "a part of the token is not base64url without padding"
    case json = "the token's header or claims are not a JSON object"
    case duplicate = "the token names a member twice"
    case critical = "the token's header demands extensions"
    case kind = "the token is of another kind"
    case header = "a member of the token's header has another type than it must have"

    case algorithm = "the token's algorithm is not allowed"
    case unknownKey = "none of the provider's keys has the token's key id"
    case unfitKey = "the provider's key is not for the token's algorithm"
    case keyUse = "the provider's key is not for signatures"
    case signature = "the token's signature is not valid"

    case issuer = "the token is from another issuer"
    case tenant = "the token is from a tenant that is not allowed"
    case keyIssuer = "the token's key belongs to another tenant"
    case audience = "the token is for another client"
    case unknownAudience = "the token is also for a client that is not known here"
    case authorizedParty = "the token was issued to another client"
    case expiry = "the token has no expiry time"
    case expired = "the token has expired"
    case issueTime = "the token does not say when it was issued"
    case future = "the token was issued in the future"
    case old = "the token was issued too long ago"
    case notYet = "the token is not valid yet"
    case nonceMissing = "the token has no nonce"
    case nonce = "the token has the nonce of another sign-in"
    case accessToken = "the access token is not the one that the token was issued with"
    case authenticationTime = "the token does not say when the person signed in"
    case authenticationOld = "the person signed in too long ago"
    case subject = "the token's subject is not 1 to 255 ASCII characters"
    case object = "the token has no object id"

    case userInfoSubject = "the user information is about somebody else"
    case tokenID = "the token has no id"
    case event = "the token does not name the event"
    case session = "the token names neither a subject nor a session"

    /// True if a newer set of keys may hold the key.
    package var mayNeedNewKeys: Bool { self == .unknownKey }
}
