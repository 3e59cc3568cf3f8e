import Foundation

/// A value behind a lock.
///
/// `Mutex` of the module Synchronization needs iOS 18 and macOS 15.
package final class Mutex<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: sending Value) { self.value = value }

    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
