import CloudModel
import CloudStore

extension SignInPage {
    struct View: WebPage {
        static let template = "signin"

        let title: String
        let form: String
        /// The purpose as a hidden field; nil for none.
        let field: FilledField?
        let problem: String?
        let email: String
        /// The account signed in with this browser; nil to show the email and password fields.
        let current: SignedInPerson?
        /// True for a signed-in person without a further purpose.
        let isPlain: Bool
        let app: App?
        let isNewAccountWelcome: Bool
        let register: String
        let forgot: String
        let other: String
        /// Set on a development server only.
        let people: People?

        /// The app that requests the sign-in.
        struct App: PageView {
            let name: String
            let container: String
            let environment: String
            let isAnySite: Bool

            init?(_ purpose: SignInPurpose) {
                guard case .app(let app) = purpose else { return nil }
                name = app.name
                container = app.container.name
                environment = app.request.environment.rawValue
                isAnySite = app.isAnySite
            }
        }

        struct People: PageView {
            let known: [TestPerson]
        }

        struct TestPerson: PageView {
            let email: String
            let name: String
            let also: String

            init(_ account: UserAccount) {
                email = account.email
                name = account.displayName
                // An account without a name is displayed by its address, which is then not repeated.
                also = account.displayName == account.email ? "" : account.email
            }
        }
    }
}

/// A person's name and email address.
struct SignedInPerson: PageView {
    let name: String
    let email: String

    init(_ account: UserAccount) {
        name = account.displayName
        email = account.email
    }
}
