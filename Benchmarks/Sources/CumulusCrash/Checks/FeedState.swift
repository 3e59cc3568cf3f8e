import Traffic

/// What a device knows of the zone from the pages it has read.
struct FeedState: Sendable {
    private(set) var live: [String: Version] = [:]
    private(set) var token: String?
    private var seen: Set<String> = []
    private var counters: [String: Int] = [:]
    private var lastOfWriter: [String: Int] = [:]
    private(set) var changes = 0

    /// Takes one page in and tells what in it should not be.
    mutating func apply(_ page: ChangesAnswer.Zone) -> [String] {
        var findings: [String] = []
        for record in page.records ?? [] {
            changes += 1
            let version = Version(record)
            if let tag = version.tag {
                live[record.recordName] = version
                findings += order(record, tag: tag)
            } else {
                live[record.recordName] = nil
            }
        }
        token = page.syncToken ?? token
        return findings
    }

    /// Each version comes once; a record's counter only grows; one writer's creations come in the order it made them.
    private mutating func order(_ record: RecordAnswer, tag: String) -> [String] {
        var findings: [String] = []
        let name = record.recordName
        if !seen.insert("\(name) \(tag)").inserted { findings.append("the feed gave \(name) with tag \(tag) twice") }
        guard let number = record.fields?.n?.value else { return findings }
        if name.hasPrefix("contested-") {
            if let last = counters[name], number <= last {
                findings.append("the feed went back on \(name): \(number) after \(last)")
            }
            counters[name] = number
        } else if name.hasPrefix("own-") {
            let writer = name.split(separator: "-").dropLast().joined(separator: "-")
            if let last = lastOfWriter[writer], number <= last {
                findings.append("the feed gave \(name) after number \(last) of the same writer")
            }
            lastOfWriter[writer] = number
        }
        return findings
    }
}
