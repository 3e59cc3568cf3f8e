@testable import CloudPages
import Testing

struct FieldLabelTests {
    @Test(
        "A field's name is shown as words",
        arguments: [
            ("birthday", "Birthday"), ("createdDate", "Created date"), ("photo_count", "Photo count"),
            ("apiURL", "Api URL"), ("CKFamily", "CK family"), ("CD_name", "CD name"), ("ID", "ID"), ("x", "X"),
            ("Memory", "Memory"), ("_", "_"), ("iataCode2", "Iata code2"), ("URLOfPage", "URL of page"),
        ])
    func wording(name: String, words: String) {
        #expect(FieldLabel.text(name) == words)
    }
}
