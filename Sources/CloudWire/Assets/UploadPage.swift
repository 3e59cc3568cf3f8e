package import CloudHTTP
import Foundation

/// The console's record page, to which a form upload redirects with the receipt in a parameter.
package enum UploadPage {
    private static let record = "/console/record?"
    private static let parameter = "to"
    private static let receipt = "&f."

    /// An upload link that redirects to a record's page.
    package static func link(_ upload: String, to record: String, field: String) -> String {
        let page = "\(record)\(receipt)\(PercentEncoding.encode(field))="
        return "\(upload)?\(parameter)=\(PercentEncoding.encode(page))"
    }

    /// The page's address without a receipt; nil unless a page asked for the upload.
    package static func addressBack(from request: Request) -> String? {
        address(request).map { $0.components(separatedBy: receipt)[0] }
    }

    /// The redirect's URL, to be completed by the receipt; nil unless a page asked for the upload.
    package static func address(_ request: Request) -> String? {
        let page = FormFields(request.query.utf8).filled(parameter)
        return page.flatMap { $0.hasPrefix(record) && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? $0 : nil }
    }
}
