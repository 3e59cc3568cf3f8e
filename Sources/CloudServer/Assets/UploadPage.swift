import Foundation

/// The console's record page, to which a form upload redirects with the receipt in a parameter.
enum UploadPage {
    private static let record = "/console/record?"
    private static let parameter = "to"
    private static let receipt = "&f."

    /// An upload link that redirects to a record's page.
    static func link(_ upload: String, to record: String, field: String) -> String {
        let page = "\(record)\(receipt)\(PercentEncoding.encode(field))="
        return "\(upload)?\(parameter)=\(PercentEncoding.encode(page))"
    }

    /// A link back to the page without a receipt; nil unless a page asked for the upload.
    static func back(from request: Request) -> PageLink? {
        address(request).map { page in
            PageLink(label: "Back to the record", address: page.components(separatedBy: receipt)[0])
        }
    }

    /// The redirect's URL, to be completed by the receipt; nil unless a page asked for the upload.
    static func address(_ request: Request) -> String? {
        let page = FormFields(request.query.utf8).filled(parameter)
        return page.flatMap { $0.hasPrefix(record) && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? $0 : nil }
    }
}
