import CloudModel

/// A file's epochs in the order of their positions, in the writer's memory.
struct Epochs: EpochSource, Sendable {
    private(set) var list: [Epoch]
    /// True if the last epoch belongs to this opening of the file, and so continues.
    private(set) var isOpen: Bool

    init(_ list: [Epoch], isOpen: Bool = false) {
        self.list = list
        self.isOpen = isOpen
    }

    func epoch(of position: Int64) -> Epoch? {
        if let last = list.last, last.first <= position { return last }
        var (low, high) = (0, list.count)
        while low < high {
            let middle = (low + high) / 2
            if list[middle].first <= position { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : list[low - 1]
    }

    func tag(_ position: Int64) -> String { ChangeTag.text(position, part: epoch(of: position)?.tagPart) }

    /// Adds the epoch of this opening.
    mutating func begin(_ epoch: Epoch) {
        // Replace an epoch that never gave out a position.
        if list.last?.first == epoch.first { list.removeLast() }
        list.append(epoch)
        isOpen = true
    }
}
