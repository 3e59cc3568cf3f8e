import CloudModel
import Foundation

/// A timestamp in zip format: UTC, in steps of two seconds, from 1980 to 2107.
struct DOSDate: Hashable {
    let date: UInt16
    let time: UInt16

    init(_ moment: Timestamp) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: moment.date)
        guard let year = parts.year, let month = parts.month, let day = parts.day, let hour = parts.hour,
            let minute = parts.minute, let second = parts.second, (1980...2107).contains(year)
        else {
            (date, time) = (1 << 5 | 1, 0)
            return
        }
        date = UInt16((year - 1980) << 9 | month << 5 | day)
        time = UInt16(hour << 11 | minute << 5 | second / 2)
    }
}
