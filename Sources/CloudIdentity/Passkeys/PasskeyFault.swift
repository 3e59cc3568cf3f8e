/// The reason why a passkey's answer was refused. Holds no text of the answer, since causes are logged.
package enum PasskeyFault: String, Error, CaseIterable, Sendable {
    case answer = "the browser's answer lacks a member, or one has another type than it must have"
    case size = "a part of the answer is too long"

    case clientData = "the client data are not a JSON object with each member once"
    case ceremony = "the client data are of another ceremony"
    case challenge = "the answer is to another challenge"
    case origin = "the answer was made on another site"
    case crossOrigin = "the answer was made in a frame of another site"

    case attestation = "the attestation object is not what WebAuthn defines"
    case statement = "the attestation statement is not valid"
    case authenticatorData = "the authenticator data are not what WebAuthn defines"
    case trailingBytes = "bytes follow the authenticator data"
    case relyingParty = "the passkey is for another site"
    case userPresence = "nobody touched the authenticator"
    case userVerification = "the authenticator did not verify the person"
    case backup = "the passkey is backed up although it cannot be"
    case backupChanged = "the passkey says otherwise than before whether it can be backed up"
    case attestedData = "the answer brings no new key"
    case credentialID = "the id of the passkey is not 1 to 1,023 bytes, or is not the answer's"
    case key = "the public key is not what WebAuthn defines, or is no point of its curve"
    case algorithm = "the key's algorithm was not asked for"

    case unknownCredential = "the answer is by another passkey"
    case userHandleMissing = "the answer does not say whose passkey it is"
    case userHandle = "the passkey belongs to another account"
    case signature = "the signature is not valid"
    case counter = "the passkey's counter went back: the authenticator may have been copied"
}
