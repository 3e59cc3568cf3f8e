package import CloudAccounts
package import CloudHTTP
package import CloudOperations

/// Validated settings of the API and of its background work.
package struct WireSettings: Sendable {
    /// Allowed clock difference of a signed request (reference B §4.4).
    package var signatureWindow = Duration.seconds(600)
    /// The lifetime of an asset link. Records carry links with at least three quarters of it left.
    package var assetLinkLifetime = Duration.seconds(86400)
    package var passwords = PasswordPolicy.on
    package var guessing = GuessingSettings()
    package var registration = RegistrationSettings()
    /// Nil for no backups.
    package var backups: BackupSchedule?
    package var push = PushSettings()
    package var webhooks = WebhookSettings()
    package var providers = ProviderSettings()
    /// The operator's name for this server, with which mail is signed; nil for its host.
    package var mailName: String?
    /// The language of mail that operators send.
    package var mailLanguage = PageLanguage.english
    /// All settings in display form, for operators.
    package var settings: [SettingInfo] = []

    package init() {}
}
