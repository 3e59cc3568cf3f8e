/// A QR code as template values: a square of `edge` by `edge`.
package struct QRCodeView: PageView {
    let edge: String
    package let path: String

    package init(_ code: QRCode) {
        edge = "\(code.edge)"
        path = code.path
    }
}
