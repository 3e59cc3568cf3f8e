import CloudModel
import GRDB

extension DatabaseFunction {
    /// The distance in metres between two positions, each as latitude and longitude in degrees; NULL if one is missing.
    static let distance = distance(toldTo: nil)

    /// - Parameter onCall: called once per distance.
    static func distance(toldTo onCall: (@Sendable () -> Void)?) -> DatabaseFunction {
        DatabaseFunction("distance", argumentCount: 4, pure: true) { values in
            onCall?()
            let degrees = values.compactMap(Double.fromDatabaseValue)
            guard degrees.count == 4 else { return nil }
            return Coordinate(latitude: degrees[0], longitude: degrees[1])
                .distance(to: Coordinate(latitude: degrees[2], longitude: degrees[3]))
        }
    }
}
