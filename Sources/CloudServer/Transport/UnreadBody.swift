/// The rest of a body that comes though nobody reads it: a client that hears its answer only after it has sent all is left
/// to do so, within bounds.
struct UnreadBody {
    private let address: String
    private let most: Int
    private let spent: RefusedUploads?
    private var bytes = 0

    /// - Parameters:
    ///   - most: bytes that the body may have on its route.
    ///   - spent: counts such bytes over time; nil for no limit on them.
    init(of address: String, most: Int, spent: RefusedUploads?) {
        (self.address, self.most, self.spent) = (address, most, spent)
    }

    /// Counts bytes that are dropped.
    ///
    /// - Returns: false when no more are to be read.
    mutating func drop(_ count: Int) -> Bool {
        bytes += count
        return spent?.dropped(count, of: address) != false && bytes <= most
    }
}
