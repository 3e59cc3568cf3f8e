import CloudAssets
import CloudEngine
import CloudModel
import Foundation
import CloudSQL

/// The reason why a transfer cannot go on, in words for the operator.
package struct TransferFault: Error, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }

    /// A fault with file name and line number.
    init(file: String, line: Int, _ reason: String) { self.init("\(file), line \(line): \(reason)") }

    static let full = TransferFault("there is no room left on the disk; make some and run the command again")

    /// Rewords an error of the machine or its disk; other errors pass unchanged.
    static func worded(_ error: any Error) -> any Error {
        switch error {
        case is AssetStoreFull: full
        case let error as LineWriter.Fault: error.isFull ? full : TransferFault(error.description)
        case let error as FileFault: TransferFault(error.description)
        case let error as POSIXError:
            TransferFault("a file cannot be used: \(String(cString: strerror(error.code.rawValue)))")
        case let error as CocoaError: cocoa(error)
        case let error as SQLError: database(error)
        case let error as ServerError where error.code == .tryAgainLater:
            TransferFault("\(error.reason); run the command again when that is mended")
        default: error
        }
    }

    private static func cocoa(_ error: CocoaError) -> TransferFault {
        if error.code == .fileWriteOutOfSpace { return full }
        let reason =
            switch error.code {
            case .fileReadNoSuchFile, .fileNoSuchFile: "it is not there"
            case .fileReadNoPermission, .fileWriteNoPermission: "that is not permitted"
            case .fileWriteVolumeReadOnly: "its disk is read-only"
            case .fileWriteFileExists: "something else is there"
            default:
                (error.underlying as? POSIXError).map { String(cString: strerror($0.code.rawValue)) } ?? "\(error.code)"
            }
        return TransferFault("\(error.filePath ?? "a file") cannot be used: \(reason)")
    }

    private static func database(_ error: SQLError) -> TransferFault {
        switch error.kind {
        case .full: full
        case .busy:
            TransferFault("another program is using the same files; run the command again when it is done")
        default: TransferFault("a database file cannot be used: \(error.message)")
        }
    }
}
