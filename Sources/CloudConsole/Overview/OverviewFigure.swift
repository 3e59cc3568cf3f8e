import CloudWire
import CloudPages
import CloudModel

/// A figure on the overview, linked to its page.
struct OverviewFigure: PageView {
    let title: String
    let value: String
    var more: String?
    let address: String
    var course: Sparkline?
}

extension OverviewFigure {
    static func all(_ course: RequestCourse, _ storage: StorageSheet) -> [OverviewFigure] {
        let all = course.requests.reduce(0, +)
        let refused = course.refused.reduce(0, +)
        let time = course.span == RequestCourse.minutes ? "last hour" : "last \(course.span) min"
        let requests = ConsoleView.requests.path
        let figures = [
            OverviewFigure(
                title: "Requests, \(time)", value: Count.text(all), more: "\(tenths(all, of: course.span)) a minute",
                address: requests, course: sparkline(course.requests, "Requests each minute, at most ")),
            OverviewFigure(
                title: "Refused", value: "\(tenths(100 * refused, of: all)) %", more: Count.text(refused),
                address: ConsoleAddress.make(requests, [("refused", "true")]),
                course: sparkline(course.refused, "Refused each minute, at most ")),
            OverviewFigure(
                title: "Slowest 1 %", value: course.slowestPercent?.milliseconds ?? "none", address: requests,
                course: Sparkline(
                    values: course.slowest,
                    label: "The slowest of each minute, at most "
                        + Duration.microseconds(course.slowest.max() ?? 0).milliseconds)),
            OverviewFigure(
                title: "Messages, \(time)", value: Count.text(course.notifications.reduce(0, +)),
                address: ConsoleView.push.path,
                course: sparkline(course.notifications, "Messages queued for devices each minute, at most ")),
        ]
        guard let sums = storage.sums else { return figures }
        return figures + [
            OverviewFigure(title: "Records", value: Count.text(sums.records), address: ConsoleView.data.path),
            OverviewFigure(title: "Stored", value: ByteCount.text(sums.bytes), address: "#containers"),
        ]
    }

    private static func sparkline(_ values: [Int], _ label: String) -> Sparkline {
        Sparkline(values: values, label: label + Count.text(values.max() ?? 0))
    }

    /// A quotient to one decimal.
    private static func tenths(_ part: Int, of whole: Int) -> Double {
        (Double(part) / Double(max(whole, 1)) * 10).rounded() / 10
    }
}
