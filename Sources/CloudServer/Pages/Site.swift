import CloudModel
package import CloudStore
import Crypto
package import Hummingbird

/// What the server's own pages are made of; one for the whole server.
package struct Site: Sendable {
    package let templates: PageTemplates
    package let files: StaticFiles
    package let origin: PublicOrigin
    package let accounts: AccountStore
    package let stores: ContainerStores
    package let configuration: ServerConfiguration
    /// Signs what a browser shows that has given a page's password.
    let pagePassKey: SymmetricKey

    package init(
        configuration: ServerConfiguration, accounts: AccountStore, stores: ContainerStores
    ) throws {
        let folder = try PublicFolder(path: configuration.publicFolder)
        files = try StaticFiles(folder)
        templates = try PageTemplates(folder, common: ["static": files.path])
        origin = PublicOrigin(configuration)
        pagePassKey = try accounts.secret(for: "page-pass")
        self.accounts = accounts
        self.stores = stores
        self.configuration = configuration
    }

    /// The page of this template.
    ///
    /// - Parameter content: what the template names; `title` at least.
    package func page(
        _ template: String, _ content: [String: Any], status: HTTPResponse.Status = .ok,
        policy: PagePolicy = PagePolicy()
    ) throws -> Response {
        .page(try templates.render(template, content), status: status, policy: policy)
    }

    /// The page an error is shown by.
    func page(for error: PageError) throws -> Response {
        var response = try page("error", ["title": error.title, "text": error.text], status: error.status)
        if let seconds = error.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }
}
