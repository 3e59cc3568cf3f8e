import Testing

@testable import CumulusDemo

struct RecordTableTests {
    @Test
    func columnsAreAlignedAndOddEntriesSayWhatTheyAre() {
        let records: [JSON] = [
            [
                "recordName": "m-anna",
                "fields": [
                    "role": ["value": "admin\nhere"], "user": ["value": ["recordName": "p-anna"]],
                    "joinedAt": ["value": 1_709_283_600_000, "type": "TIMESTAMP"],
                ],
            ],
            ["recordName": "m-ben", "deleted": true],
            ["recordName": "m-carl", "serverErrorCode": "NOT_FOUND", "reason": "Record not found"],
        ]
        #expect(
            RecordTable(records, fields: ["role", "nickname", "user", "joinedAt"]).lines == [
                "recordName  role          user      joinedAt",
                "m-anna      admin ↵ here  → p-anna  2024-03-01T09:00:00Z",
                "m-ben       deleted",
                "m-carl      NOT_FOUND: Record not found",
            ])
    }

    @Test
    func errorsAloneNeedNoColumns() {
        let missing: JSON = ["recordName": "somebody", "serverErrorCode": "NOT_FOUND", "reason": "Record not found"]
        #expect(
            RecordTable([missing], fields: ["role"]).lines
                == ["recordName", "somebody    NOT_FOUND: Record not found"])
    }

    @Test(arguments: [(7, "7"), (999, "999"), (1000, "1,000"), (7884, "7,884"), (1_000_000, "1,000,000")])
    func largeNumbersAreGrouped(number: Int, text: String) {
        #expect(number.grouped == text)
    }
}
