/// The mean color of a picture, with two bits for each of red, green and blue.
package struct PictureColor: Hashable, Sendable {
    /// From 0 to 63.
    package let number: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8) {
        number = (red >> 6) * 16 + (green >> 6) * 4 + (blue >> 6)
    }

    /// - Parameter name: a name as of ``name``.
    package init?(name: some StringProtocol) {
        guard name.utf8.count == 3, name.first == "c",
            name.dropFirst().utf8.allSatisfy("0123456789abcdef".utf8.contains),
            let number = UInt8(name.dropFirst(), radix: 16), number < 64
        else { return nil }
        self.number = number
    }

    /// The name of its class in `share.css`: `c00` is black, `c3f` white.
    package var name: String { "c" + (number < 16 ? "0" : "") + String(number, radix: 16) }
}
