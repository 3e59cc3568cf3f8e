import CloudWire
import CloudHTTP
import CloudModel
import CloudTransfer

/// `POST /account/download`: streams a zip of the signed-in person's data.
enum AccountDownload {
    static let submit: PageEndpoint = { call in
        try call.requireOwnForm()
        guard let account = try await call.session()?.account else { return AccountPage.signIn(back: "/account") }
        let export = PersonExport(of: account, accounts: call.site.accounts, stores: call.site.stores)
        do {
            return try call.site.wire.downloads.response(export)
        } catch let error as ServerError {
            return try await AccountPage.page(call, account, problem: PageError(error))
        }
    }
}
