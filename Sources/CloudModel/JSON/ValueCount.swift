/// The number of values in a JSON document, counted before memory is spent on them.
package enum ValueCount {
    /// At most so many values are in a document: arrays and objects, what is in them, keys not counted.
    ///
    /// Exact but for empty arrays and objects, which count twice. Of bytes that are no JSON it says nothing.
    ///
    /// - Parameter limit: a document too short to hold more is not looked at; the answer is 0 then.
    package static func bound(_ document: UnsafeRawBufferPointer, ifMoreThan limit: Int) -> Int {
        // A value and its comma are two bytes at least.
        guard document.count / 2 >= limit else { return 0 }
        var count = 1
        var isInString = false
        var index = 0
        while index < document.count {
            switch document[index] {
            case UInt8(ascii: "\""): isInString.toggle()
            case UInt8(ascii: "\\") where isInString: index += 1
            case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"): if !isInString { count += 1 }
            default: break
            }
            index += 1
        }
        return count
    }
}
