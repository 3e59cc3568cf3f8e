import CloudAccounts
import CloudAssets
import CloudHTTP
import CloudModel
import CloudStore
import Synchronization

/// The orders of pages that were asked for last, for owners and for other visitors.
///
/// An order is made once for each state of a page's records and settings. Whoever asks meanwhile waits for it.
final class PageOrders: Sendable {
    /// The page of one class of visitors.
    struct Key: Hashable, Sendable {
        let container: String
        let environment: ContainerEnvironment
        let id: String
        let isOwner: Bool
    }

    /// All that an order depends on.
    struct Stamp: Hashable, Sendable {
        let position: PagePosition?
        let items: [String]?
        let rule: PageRule?
        let layout: PageLayout
    }

    private struct Entry {
        let order: PageOrder
        let stamp: Stamp
        let bytes: Int
        var used: UInt64
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var bytes = 0
        var uses: UInt64 = 0
        var waiting: [Key: [CheckedContinuation<Void, Never>]] = [:]

        mutating func order(_ key: Key, _ stamp: Stamp) -> PageOrder? {
            guard let entry = entries[key], entry.stamp == stamp else { return nil }
            uses += 1
            entries[key]?.used = uses
            return entry.order
        }

        mutating func remove(_ key: Key) { bytes -= entries.removeValue(forKey: key)?.bytes ?? 0 }

        mutating func keep(_ order: PageOrder, _ stamp: Stamp, _ key: Key, most: Int) {
            remove(key)
            let size = order.bytes + (stamp.items ?? []).reduce(0) { $0 + 16 + $1.utf8.count } + key.id.utf8.count
            guard size <= most else { return }
            uses += 1
            entries[key] = Entry(order: order, stamp: stamp, bytes: size, used: uses)
            bytes += size
            guard bytes > most else { return }
            // A quarter at once: sorting is not for each new page.
            for old in entries.sorted(by: { $0.value.used < $1.value.used }) where bytes > most / 4 * 3 {
                remove(old.key)
            }
        }
    }

    private enum Turn {
        case known(PageOrder)
        case making
        case waiting
    }

    private let most: Int
    private let state = Mutex(State())

    /// - Parameter most: the largest memory of all orders, in bytes.
    init(most: Int = 64 << 20) { self.most = most }

    /// The memory of all orders, in bytes.
    var bytes: Int { state.withLock { $0.bytes } }
    var count: Int { state.withLock { $0.entries.count } }

    /// The kept order of this stamp, or a new one.
    ///
    /// - Throws: errors of `make`; whoever waits makes it anew.
    func order(_ key: Key, _ stamp: Stamp, make: () async throws -> PageOrder) async throws -> PageOrder {
        while true {
            switch turn(key, stamp) {
            case .known(let order): return order
            case .waiting: await wait(for: key)
            case .making:
                let result: Result<PageOrder, any Error>
                do { result = .success(try await make()) } catch { result = .failure(error) }
                end(key, stamp, try? result.get())
                return try result.get()
            }
        }
    }

    /// Forgets an order that its page no longer has, as after a picture turned out to be broken.
    func forget(_ key: Key) { state.withLock { $0.remove(key) } }

    private func turn(_ key: Key, _ stamp: Stamp) -> Turn {
        state.withLock { state in
            if let order = state.order(key, stamp) { return .known(order) }
            if state.waiting[key] != nil { return .waiting }
            state.waiting[key] = []
            return .making
        }
    }

    private func wait(for key: Key) async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                guard state.waiting[key] != nil else { return true }
                state.waiting[key]?.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    private func end(_ key: Key, _ stamp: Stamp, _ order: PageOrder?) {
        let waiting = state.withLock { state in
            if let order { state.keep(order, stamp, key, most: most) }
            return state.waiting.removeValue(forKey: key) ?? []
        }
        for continuation in waiting { continuation.resume() }
    }
}

extension SharedPage {
    var orderKey: PageOrders.Key {
        PageOrders.Key(
            container: container.name, environment: environment, id: settingsID, isOwner: visitor.isOwner)
    }

    /// The order of the page's pictures and videos, for this visitor.
    ///
    /// An order whose files have told their times since it was made is made anew, also if another request has just made it.
    func order(in orders: PageOrders, limits: Limits) async throws -> PageOrder {
        let stamp = try await orderStamp()
        let order = try await orders.order(orderKey, stamp) { try await makeOrder(limits: limits) }
        guard !order.waiting.isEmpty,
            try await store.assets.files(order.waiting).values.allSatisfy({ !$0.isWaiting })
        else { return order }
        orders.forget(orderKey)
        return try await orders.order(orderKey, stamp) { try await makeOrder(limits: limits) }
    }

    private func makeOrder(limits: Limits) async throws -> PageOrder {
        var builder = PageOrderBuilder(isByTime: isInOrderOfTime, layout: layout, root: root?.recordName)
        var (marker, expected): (String?, Int) = (nil, Self.itemsPerPart)
        repeat {
            // Texts of the order are only compared.
            let part = try await storedPart(after: marker, expecting: expected, .english, limits: limits)
            // Neighbors tend to have as many files. One more tells whether no more fit.
            expected = max(1, min(part.length + 1, Self.itemsPerPart))
            builder.add(part, after: marker)
            marker = part.next
        } while marker != nil && !builder.isFull
        return builder.order()
    }

    private func orderStamp() async throws -> PageOrders.Stamp {
        let (handle, rule): (String?, PageRule?) =
            switch kind {
            case .published(_, let rule): (nil, rule)
            case .shared(let tree): (tree.handle, nil)
            }
        return PageOrders.Stamp(
            position: try await store.sharePages.position(of: handle), items: shownItems, rule: rule, layout: layout)
    }
}
