package import CloudAccounts
package import CloudHTTP
import CloudWire
import CloudModel

extension SignInPage {
    package struct View: WebPage {
        package static let template = "signin"

        package let title: String
        /// The operator's name for this server; nil without one.
        var siteName: String?
        package let form: String
        /// The purpose as a hidden field; nil for none.
        package let field: FilledField?
        package let problem: String?
        package let email: String
        /// The account signed in with this browser; nil to show the email and password fields.
        package let current: SignedInPerson?
        /// True for a signed-in person without a further purpose.
        package let isPlain: Bool
        package let app: App?
        let isNewAccountWelcome: Bool
        package let register: String
        let forgot: String
        package let other: String
        /// Set on a development server only.
        package let people: People?
        /// Nil without providers.
        package let providers: ProviderLinks?
        let hasPasskeys: Bool
        /// True for the form with address and password.
        let asksPassword: Bool
        /// True for passkeys without that form.
        let keepsByPasskey: Bool
        /// True for a form with nothing but a button to cancel.
        let onlyCancels: Bool
        /// True if there is no way to sign in.
        let isClosed: Bool

        package init(
            title: String, form: String, field: FilledField?, problem: String?, email: String, current: SignedInPerson?,
            isPlain: Bool, app: App?, isNewAccountWelcome: Bool, register: String, forgot: String, other: String,
            people: People?, providers: ProviderLinks? = nil, hasPasskeys: Bool = false, asksPassword: Bool = true,
            isClosed: Bool = false
        ) {
            self.title = title
            self.form = form
            self.field = field
            self.problem = problem
            self.email = email
            self.current = current
            self.isPlain = isPlain
            self.app = app
            self.isNewAccountWelcome = isNewAccountWelcome
            self.register = register
            self.forgot = forgot
            self.other = other
            self.people = people
            self.providers = providers
            self.hasPasskeys = hasPasskeys
            self.asksPassword = asksPassword
            keepsByPasskey = hasPasskeys && !asksPassword
            onlyCancels = current == nil && !asksPassword && field != nil
            self.isClosed = isClosed
        }

        /// The app that requests the sign-in.
        package struct App: PageView {
            package let name: String
            /// The app's name of the page rules, else the container's.
            package let container: String
            /// Nil in production, where the page rules name the app.
            package let environment: String?
            let isAnySite: Bool
            /// The path of the app's picture; nil for none.
            let picture: String?

            /// - Parameters:
            ///   - known: the app's name of the page rules; nil if they name none.
            ///   - pictures: the pictures of apps; nil for none.
            package init?(
                _ purpose: SignInPurpose, known: String?, pictures: AppPictures? = nil, in language: PageLanguage
            ) {
                guard case .app(let app) = purpose else { return nil }
                picture = pictures?.path(of: app.container.name)
                name = app.name ?? language.text("signin.anApp")
                container = known ?? app.container.name
                let stage = app.request.environment
                environment = known != nil && stage == .production ? nil : stage.rawValue
                isAnySite = app.isAnySite
            }
        }

        package struct People: PageView {
            package let known: [TestPerson]
        }

        package struct TestPerson: PageView {
            package let email: String
            package let name: String
            let also: String

            package init(_ account: UserAccount, in language: PageLanguage) {
                email = account.handle
                name = account.displayName(in: language)
                // An account without a name is displayed by its address, which is then not repeated.
                also = name == account.email ? "" : account.email ?? ""
            }
        }
    }
}

/// A person's name and email address.
package struct SignedInPerson: PageView {
    package let name: String
    package let email: String

    package init(_ account: UserAccount, in language: PageLanguage) {
        name = account.displayName(in: language)
        email = account.email ?? ""
    }
}
