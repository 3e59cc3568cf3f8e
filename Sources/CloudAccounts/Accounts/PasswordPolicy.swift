/// Whether people and operators sign in with passwords, from the setting `signIn.passwords`.
package enum PasswordPolicy: String, CaseIterable, Sendable {
    case on, off
}
