/// Formats a count for people: `12,345`.
package enum Count {
    package static func text(_ number: some BinaryInteger) -> String {
        var digits = String(number.magnitude)
        var start = digits.count - 3
        while start > 0 {
            digits.insert(",", at: digits.index(digits.startIndex, offsetBy: start))
            start -= 3
        }
        return (number < 0 ? "-" : "") + digits
    }

    /// "1 device", "2 devices".
    ///
    /// - Parameter plural: the plural noun; the noun with an "s" appended when nil.
    package static func text(_ number: some BinaryInteger, of noun: String, _ plural: String? = nil) -> String {
        "\(text(number)) \(number == 1 ? noun : plural ?? noun + "s")"
    }
}

/// Formats a number of bytes for people: `1.5 MB`.
package enum ByteCount {
    package static func text(_ bytes: Int64) -> String {
        var (value, unit) = (Double(bytes), 0)
        let units = ["bytes", "KB", "MB", "GB", "TB"]
        while value >= 1000, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
        return unit == 0 ? "\(bytes) bytes" : "\((value * 10).rounded() / 10) \(units[unit])"
    }
}
