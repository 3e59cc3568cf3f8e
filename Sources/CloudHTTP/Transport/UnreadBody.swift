/// Limits the bytes of a body that the server drops, for clients that read the answer only after sending everything.
struct UnreadBody {
    private let address: String
    private let most: Int
    private let spent: RefusedUploads?
    private var bytes = 0

    /// - Parameters:
    ///   - most: the largest body of the route, in bytes.
    ///   - spent: limits dropped bytes of an address over time; nil for no limit.
    init(of address: String, most: Int, spent: RefusedUploads?) {
        (self.address, self.most, self.spent) = (address, most, spent)
    }

    /// - Returns: false once a limit is exceeded: stop reading.
    mutating func drop(_ count: Int) -> Bool {
        bytes += count
        return spent?.dropped(count, of: address) != false && bytes <= most
    }
}
