import AsyncHTTPClient
import Foundation
import NIOCore
import NIOPosix

/// Explains in plain words why a server is unreachable.
enum Unreachable {
    /// - Parameter origin: the server's origin.
    static func complaint(_ error: any Error, at origin: String) -> Complaint {
        Complaint("\(origin) does not answer: \(reason(error))")
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError:
            // The first address's error stands for all: errors seldom differ between addresses.
            error.connectionErrors.first.map { reason($0.error) } ?? "its name is not known"
        case let error as IOError: String(cString: strerror(error.errnoCode))
        case let error as HTTPClientError where [.connectTimeout, .deadlineExceeded, .readTimeout].contains(error):
            "it takes too long"
        case let error as HTTPClientError: error.shortDescription
        default: error.localizedDescription
        }
    }
}
