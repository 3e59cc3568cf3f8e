import CloudHTTP
import CloudPages
import CloudModel

/// A request's duration split into parts, drawn as a bar.
struct RequestTime: PageView {
    let parts: [Part]

    struct Part: PageView {
        let kind: String
        let name: String
        let took: String
        /// In percent of the bar, like the width.
        let start: String
        let width: String
    }

    init(_ record: RequestRecord) {
        var start = 0.0
        let (queue, store, answer) = (record.cost.queue, record.cost.store, record.rendering)
        parts = [
            ("q", "queue", queue), ("w", "store", store), ("r", "answer", answer),
            ("o", "other", max(.zero, record.duration - queue - store - answer)),
        ].map { kind, name, duration in
            let width = min(100 - start, 100 * (duration / max(record.duration, .microseconds(1))))
            defer { start += width }
            return Part(
                kind: kind, name: name, took: duration.milliseconds, start: Self.number(start),
                width: Self.number(width))
        }
    }

    private static func number(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}
