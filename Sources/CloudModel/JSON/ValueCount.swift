/// Counts the values of a JSON document before parsing allocates memory.
package enum ValueCount {
    /// An upper bound on the values in a document: arrays, objects and their elements; keys do not count.
    ///
    /// Exact except for empty arrays and objects, which count twice. Meaningless for bytes that are not JSON.
    ///
    /// - Parameter limit: documents too short to hold more values are not scanned; the result is then 0.
    package static func bound(_ document: UnsafeRawBufferPointer, ifMoreThan limit: Int) -> Int {
        // A value with its comma takes at least two bytes.
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
