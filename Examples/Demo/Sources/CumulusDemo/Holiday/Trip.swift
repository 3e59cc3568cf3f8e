import Foundation

/// The trip that is published: its records, which repeat without harm because each has its name (scenario 1).
enum Trip {
    static let id = "5A1F0C6E-2B77-4E0B-9B57-3D8A6C1E94F2"
    static let place = "Lisbon"
    private static let start = Date(timeIntervalSince1970: 1_750_118_400)

    static func vacation(photos: Int) -> JSON {
        [
            "operationType": "forceReplace",
            "record": [
                "recordType": "SharedVacation", "recordName": .string(id),
                "fields": [
                    "shareId": .field(id), "locationName": .field(place), "startDate": .field(start),
                    "endDate": .field(start.addingTimeInterval(6 * 86_400)),
                    "photoCount": ["value": .number(Double(photos)), "type": "INT64"], "sharedBy": .field("Anna"),
                ],
            ],
        ]
    }

    static func photo(_ index: Int, _ receipt: JSON) -> JSON {
        [
            "operationType": "forceReplace",
            "record": [
                "recordType": "SharedPhoto", "recordName": .string("\(id)_\(index)"),
                "fields": [
                    "shareId": .field(id), "orderIndex": ["value": .number(Double(index)), "type": "INT64"],
                    "photoAsset": .field(uploaded: receipt),
                ],
            ],
        ]
    }
}
