/// A QR code as template values: a square of `edge` by `edge`.
struct QRCodeView: PageView {
    let edge: String
    let path: String

    init(_ code: QRCode) {
        edge = "\(code.edge)"
        path = code.path
    }
}
