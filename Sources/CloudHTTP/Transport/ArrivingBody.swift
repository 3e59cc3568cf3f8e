/// The body of a started request, while it arrives.
struct ArrivingBody {
    /// Streams it to its reader; nil without a reader.
    var reader: RequestInflow.Source?
    /// Limits its rest without a reader.
    var unread: UnreadBody?
    /// True until it has arrived in full.
    var isComing = false
    /// True once an answer to an unfinished body has announced the close of the connection.
    var isCloseAnnounced = false
}

/// Limits the bytes of a body that the server drops, for clients that read the answer only after sending everything.
struct UnreadBody {
    private let address: String
    private let most: Int
    /// True if the body's end may lie beyond the limit.
    let mayExceed: Bool
    private let spent: RefusedUploads?
    private var bytes = 0

    /// - Parameters:
    ///   - announced: the body's length in bytes; nil if unknown.
    ///   - most: the largest body of the route, in bytes.
    ///   - spent: limits dropped bytes of an address over time; nil for no limit.
    init(of address: String, announced: Int?, most: Int, spent: RefusedUploads?) {
        (self.address, self.most, self.spent) = (address, most, spent)
        mayExceed = announced.map { $0 > most } ?? true
    }

    /// - Returns: false once a limit is exceeded: stop reading.
    mutating func drop(_ count: Int) -> Bool {
        bytes += count
        return spent?.dropped(count, of: address) != false && bytes <= most
    }
}
