import CloudModel
import Foundation

/// A place in the stream of one push token: the last message of each environment that it is registered in.
struct EventPlace: Hashable, Sendable {
    struct Source: Hashable, Sendable {
        let container: Int64
        let environment: ContainerEnvironment
    }

    var ids: [Source: Int64] = [:]

    init() {}

    private static let version: UInt8 = 1
    private static let size = 17

    /// The `id` of an event: base64 without padding, in the alphabet of URLs. Nobody but the server reads it.
    var text: String {
        var bytes = [Self.version]
        let sorted = ids.sorted {
            ($0.key.container, $0.key.environment.rawValue) < ($1.key.container, $1.key.environment.rawValue)
        }
        for (source, id) in sorted {
            bytes.append(source.environment == .production ? 1 : 0)
            for number in [source.container, id] { bytes += withUnsafeBytes(of: number.bigEndian) { Array($0) } }
        }
        return Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
            "=", with: "")
    }

    /// Nil for what no event had as its id.
    init?(_ text: String) {
        let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: base64 + padding), data.first == Self.version,
            (data.count - 1).isMultiple(of: Self.size)
        else { return nil }
        for start in stride(from: 1, to: data.count, by: Self.size) {
            let numbers = [start + 1, start + 9].map { first in
                data[first..<first + 8].reduce(Int64(0)) { $0 << 8 | Int64($1) }
            }
            ids[Source(container: numbers[0], environment: data[start] == 1 ? .production : .development)] = numbers[1]
        }
    }
}
