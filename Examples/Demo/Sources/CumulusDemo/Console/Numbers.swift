extension Int {
    /// 7884 as `7,884`.
    var grouped: String {
        var digits = Array(String(magnitude))
        var position = digits.count - 3
        while position > 0 {
            digits.insert(",", at: position)
            position -= 3
        }
        return (self < 0 ? "-" : "") + String(digits)
    }
}

extension Double {
    /// 3.14159 as `3.1`.
    var oneDecimal: String { String((self * 10).rounded() / 10) }
}

extension Duration {
    /// Whole milliseconds, or tenths of one below ten.
    var milliseconds: String {
        let value = self / .milliseconds(1)
        return value < 10 ? "\(value.oneDecimal) ms" : "\(Int(value.rounded())) ms"
    }
}
