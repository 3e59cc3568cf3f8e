import CloudAccounts
import CloudHTTP
import CloudModel
import CloudStore
import NIOCore

/// `GET /share/{id}/events`: server-sent events with the version of the page's pictures, captions and records, one at once and
/// one after each change.
///
/// Access to the page is checked before each event, and between events after each heartbeat. The stream ends with the access.
struct PageEvents: Sendable {
    private let call: PageCall
    private let seat: PageWatchSeat

    static let endpoint: PageEndpoint = { call in
        let seat = try call.site.pageWatch.seat(for: call.client?.network ?? "")
        let events = PageEvents(call: call, seat: seat)
        let first = try await events.state()
        try await call.recipient.watch { [weak seat] in seat?.hangUp() }
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/event-stream", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
                // Asks buffering proxies to pass events on immediately.
                HTTPField.Name(token: "X-Accel-Buffering"): "no",
            ],
            body: ResponseBody { writer in try await events.send(first, through: &writer) })
    }

    /// A page as one visitor sees it.
    private struct State: Sendable {
        let version: String
        let place: PageWatch.Place
        let position: PagePosition?
        let read: PageWatch.PositionReader
    }

    private func state() async throws -> State {
        let site = call.site
        return try await PageGate(call: call).readPart(call.parameters[0]) { page in
            let place = page.newsPlace
            // Before the order, so that a change in between is seen as one.
            let position = try await page.store.sharePages.position(of: place.handle)
            let order = try await page.order(in: site.pageOrders, limits: site.limits)
            let (container, environment) = (page.container, page.environment)
            return State(version: order.version, place: place, position: position) {
                try await site.stores.existing(container: container, environment: environment)?
                    .sharePages.position(of: place.handle)
            }
        }
    }

    private func send(_ first: State, through writer: inout any ResponseBodyWriter) async throws {
        let recipient = call.recipient
        var told = first
        // Other records of a busy zone: the next look is that of the heartbeat, as each look may read the whole page.
        var isBesides = false
        try await recipient.send(ByteBuffer(string: "retry: 5000\n\(Self.event(first))"), through: &writer)
        while true {
            let heartbeat = call.site.settings.news.heartbeat
            let ending =
                isBesides
                ? await seat.wait(for: .nowhere, after: nil, within: heartbeat) { nil }
                : await seat.wait(for: told.place, after: told.position, within: heartbeat, told.read)
            guard ending != .over, let now = await currentState() else { break }
            isBesides = ending == .changed && now.version == told.version
            let text = now.version == told.version ? ":\n\n" : Self.event(now)
            told = now
            try await recipient.send(ByteBuffer(string: text), through: &writer)
        }
        try await recipient.finish(through: &writer)
    }

    /// Nil once the visitor may not see the page any more, or it cannot be read.
    private func currentState() async -> State? { try? await state() }

    private static func event(_ state: State) -> String { "data: \(state.version)\n\n" }
}

extension SharedPage {
    /// The zone whose changes change the page.
    fileprivate var newsPlace: PageWatch.Place {
        let handle: String? = if case .shared(let tree) = kind { tree.handle } else { nil }
        return PageWatch.Place(container: container.name, environment: environment, handle: handle)
    }
}
