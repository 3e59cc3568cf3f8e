public import Foundation

#if canImport(CoreLocation)
    public import CoreLocation
#endif

/// A location on Earth.
public struct CKLocation: Sendable, Hashable, Codable {
    public var latitude: Double
    public var longitude: Double
    public var horizontalAccuracy: Double?
    public var verticalAccuracy: Double?
    public var altitude: Double?
    public var speed: Double?
    public var course: Double?
    public var timestamp: Date?

    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    init?(wire: JSON) {
        guard let latitude = wire["latitude"]?.double, let longitude = wire["longitude"]?.double else { return nil }
        self.init(latitude: latitude, longitude: longitude)
        horizontalAccuracy = wire["horizontalAccuracy"]?.double
        verticalAccuracy = wire["verticalAccuracy"]?.double
        altitude = wire["altitude"]?.double
        speed = wire["speed"]?.double
        course = wire["course"]?.double
        timestamp = wire["timestamp"]?.double.map { Date(milliseconds: $0) }
    }

    var wire: JSON {
        .members([
            "latitude": .number(latitude), "longitude": .number(longitude),
            "horizontalAccuracy": horizontalAccuracy.map(JSON.number),
            "verticalAccuracy": verticalAccuracy.map(JSON.number), "altitude": altitude.map(JSON.number),
            "speed": speed.map(JSON.number), "course": course.map(JSON.number),
            "timestamp": timestamp.map { .integer($0.wholeMilliseconds) },
        ])
    }
}

#if canImport(CoreLocation)
    extension CKLocation {
        public init(_ location: CLLocation) {
            self.init(latitude: location.coordinate.latitude, longitude: location.coordinate.longitude)
            horizontalAccuracy = location.horizontalAccuracy
            verticalAccuracy = location.verticalAccuracy
            altitude = location.altitude
            timestamp = location.timestamp
        }
    }
#endif

extension Date {
    init(milliseconds: Double) { self.init(timeIntervalSince1970: milliseconds / 1000) }

    /// The server accepts only whole milliseconds.
    var wholeMilliseconds: Int64 {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded()
        return Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max)
    }
}
