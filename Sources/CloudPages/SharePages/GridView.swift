import CloudHTTP
import CloudModel

/// What a long page tells of its order.
enum GridView {
    struct Days: PageView {
        let links: [Link]
    }

    struct Link: PageView {
        let day: String
        let count: String
        /// The part in which the day begins.
        let url: String
    }

    /// The most days of which a page tells; more stand in one stream.
    static let mostDays = 2000

    /// The order in a script's form: version, number of items, number of other files and records after the first part, and
    /// days with their numbers of items, without days for one stream.
    static func text(of order: PageOrder) -> String {
        var writer = JSONWriter(capacity: 256)
        writer.object { json in
            json.member("version", order.version)
            json.key("count")
            json.integer(Int64(order.count))
            json.key("others")
            json.integer(Int64(order.others))
            json.key("days")
            json.array { list in
                for day in days(of: order) {
                    list.array {
                        $0.integer(Int64(day.day))
                        $0.integer(Int64(day.count))
                    }
                }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    static func days(of order: PageOrder, base: String, _ language: PageLanguage) -> Days? {
        var links: [Link] = []
        var place = 0
        for day in days(of: order) {
            if let part = order.parts(of: place..<place + 1).first {
                let query = part.marker.map { "?after=\(PercentEncoding.encode($0))&before=\(part.pictures)" } ?? ""
                links.append(
                    Link(
                        day: language.date(Timestamp(wholeSeconds: Int64(day.day) * 86_400)),
                        count: language.number(Int64(day.count)), url: base + query))
            }
            place += day.count
        }
        return links.isEmpty ? nil : Days(links: links)
    }

    private static func days(of order: PageOrder) -> [PageOrder.Day] {
        order.isByDay && order.days.count <= mostDays ? order.days : []
    }
}
