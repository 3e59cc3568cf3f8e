import CloudModel
import Testing

struct NamingTests {
    @Test(
        "A valid record name is accepted",
        arguments: [
            "a", "Mei Chen", "../../etc/passwd", "a/b:c+d=e@f-g", "'; DROP TABLE records; --", "\"", "🏔️", "é", "%00",
            "\\",
            String(repeating: "x", count: 255), String(repeating: "🏔", count: 255), "a_",
        ])
    func recordNames(name: String) {
        #expect(Naming.fault(recordName: name, limit: 255) == nil)
    }

    @Test(
        "An invalid record name is refused with the reason",
        arguments: [
            ("", "recordName must not be empty"), ("_a", "recordName '_a' is reserved"),
            ("_\u{301}a", "recordName '_\u{301}a' is reserved"),
            (String(repeating: "x", count: 256), "recordName has 256 characters, at most 255 are allowed"),
            (String(repeating: "🏔", count: 256), "recordName has 256 characters, at most 255 are allowed"),
            ("a\u{0}b", "recordName must not contain control characters"), ("a\nb", "recordName must not contain"),
            ("\u{1}", "recordName must not contain"), ("\u{7F}", "recordName must not contain"),
        ])
    func recordNamesRefused(name: String, fault: String) {
        #expect(Naming.fault(recordName: name, limit: 255)?.text.hasPrefix(fault) == true)
    }

    @Test("The server may use record names that begin with an underscore") func systemNames() {
        #expect(Naming.fault(recordName: "_abc", limit: 255, system: true) == nil)
        #expect(Naming.fault(zoneName: "_defaultZone", limit: 255) != nil)
    }

    @Test(
        "A record type's name is accepted or refused by its characters",
        arguments: [
            ("Note", true), ("a", true), ("A_b-c.d9", true), ("9a", false), ("_A", false), ("é", false), ("a b", false),
            ("cloudkit.share", true), ("cloudkit.user", false), ("cloudKit.share", false), ("CloudKit.Share", false),
            ("CLOUDKIT.x", false), ("", false), ("A\"", false), ("\u{212A}", false),
        ])
    func recordTypes(name: String, isGood: Bool) {
        #expect((Naming.fault(recordType: name) == nil) == isGood)
    }

    @Test(
        "A field's name is accepted or refused by its characters",
        arguments: [
            ("title", true), ("t9_", true), ("9t", false), ("_t", false), ("a-b", false), ("a.b", false),
            ("cloudkit.title", true), ("cloudkit.other", false), ("é", false),
            ("", false),
            ("a\u{0}", false), (String(repeating: "a", count: 256), false),
        ])
    func fieldNames(name: String, isGood: Bool) {
        #expect((Naming.fault(fieldName: name) == nil) == isGood)
    }

    @Test("An error shows the first 80 characters of a long name") func longNames() {
        #expect(Naming.shown(String(repeating: "x", count: 80)).count == 80)
        #expect(Naming.shown(String(repeating: "x", count: 100_000)).count == 81)
    }
}
