import Foundation

/// The page of a record that an upload by a form leads to, with the receipt in a field.
enum UploadPage {
    private static let record = "/console/record?"
    private static let parameter = "to"
    private static let receipt = "&f."

    /// A link to upload to that leads to a record's page.
    static func link(_ upload: String, to record: String, field: String) -> String {
        let page = "\(record)\(receipt)\(PercentEncoding.encode(field))="
        return "\(upload)?\(parameter)=\(PercentEncoding.encode(page))"
    }

    /// The way to the page itself, with no receipt; nil for an upload that no page asked for.
    static func back(from request: Request) -> PageLink? {
        address(request).map { page in
            PageLink(label: "Back to the record", address: page.components(separatedBy: receipt)[0])
        }
    }

    /// The address that the receipt is put behind; nil for an upload that no page asked for.
    static func address(_ request: Request) -> String? {
        let page = FormFields(request.query.utf8).filled(parameter)
        return page.flatMap { $0.hasPrefix(record) && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? $0 : nil }
    }
}
