import CumulusKit
import Foundation

/// The trip that is published: its records, which repeat without harm because each has its name (scenario 1).
enum Trip {
    static let id = "5A1F0C6E-2B77-4E0B-9B57-3D8A6C1E94F2"
    static let place = "Lisbon"
    private static let start = Date(timeIntervalSince1970: 1_750_118_400)

    static func vacation(photos: Int) -> CKRecord {
        CKRecord(
            "SharedVacation", id,
            [
                "shareId": id, "locationName": place, "startDate": start,
                "endDate": start.addingTimeInterval(6 * 86_400), "photoCount": photos, "sharedBy": "Anna",
            ])
    }

    static func photo(_ index: Int, _ photo: Photo) -> CKRecord {
        CKRecord(
            "SharedPhoto", "\(id)_\(index)",
            ["shareId": id, "orderIndex": index, "photoAsset": CKAsset(data: photo.bytes)])
    }
}
