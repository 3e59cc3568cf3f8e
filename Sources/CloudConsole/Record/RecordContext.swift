import CloudHTTP
import CloudPages
import CloudModel
import CloudOperations
import CloudStore

/// A record's readers, referrers and other facts, shown beside its fields.
struct RecordContext {
    let spot: DataSpot
    let info: RecordInfo
    /// The grants of the record's type.
    let grants: Grants
    let names: KnownPeople

    var view: View {
        View(
            json: WireText.lines(info.record),
            alongside: info.goesAlong.isEmpty ? nil : alongside(info.goesAlong.count), goesAlong: info.goesAlong,
            share: info.share.map { "/share/\(PercentEncoding.encode($0.shortGUID))" },
            seers: RecordReaders(spot: spot, grants: grants, share: info.share, names: names).rows,
            referrers: info.referrers.map(referrer), hasNoReferrers: info.referrers.isEmpty, facts: facts)
    }

    private func referrer(_ referrer: ReferrerInfo) -> View.Referrer {
        let effect =
            switch referrer.kind {
            case .deleteSelf: "goes along"
            case .validate: "keeps it"
            case .parent: "child"
            }
        return View.Referrer(
            address: spot.record(referrer.recordName), name: referrer.recordName, type: referrer.recordType,
            effect: effect)
    }

    private func alongside(_ count: Int) -> String {
        let most = RecordOperations.mostSurroundings
        return switch count {
        case 1: "One record goes along, since it refers to this one:"
        case most...: "At least \(most) records go along, since they refer to this one:"
        default: "\(count) records go along, since they refer to this one:"
        }
    }

    private var feed: String? {
        let most = RecordOperations.mostSurroundings
        guard let laterChanges = info.laterChanges else { return nil }
        return switch laterChanges {
        case 0: "the last change of its zone"
        case 1: "1 record of its zone changed since"
        case most...: "at least \(most) records of its zone changed since"
        default: "\(laterChanges) records of its zone changed since"
        }
    }

    private var facts: [Fact] {
        let record = info.record.object ?? JSONObject()
        let stamp = { (key: String) -> String in
            let stamp = record[key]?.object
            let time = stamp?["timestamp"]?.integer.map { Timestamp(milliseconds: $0).inFull } ?? ""
            return "\(time) by \(stamp?["userRecordName"]?.string.map { names[$0] } ?? "somebody")"
        }
        let facts: [(String, String?)] = [
            ("Record name", record["recordName"]?.string), ("Type", record["recordType"]?.string),
            ("Zone", spot.zone), ("Change tag", record["recordChangeTag"]?.string), ("Created", stamp("created")),
            ("Modified", stamp("modified")), ("Parent", record["parent"]?.object?["recordName"]?.string),
            ("In the feed", feed), ("Short GUID", record["shortGUID"]?.string),
        ]
        return facts.compactMap { title, value in value.map { Fact(title: title, value: $0) } }
    }
}

extension RecordContext {
    struct View: PageView {
        /// The record in the wire format.
        let json: String
        /// The sentence on records deleted along with this record.
        let alongside: String?
        let goesAlong: [String]
        /// The address of the record's share page.
        let share: String?
        let seers: [RecordReaders.Row]
        let referrers: [Referrer]
        let hasNoReferrers: Bool
        let facts: [Fact]

        /// A record that refers to this record.
        struct Referrer: PageView {
            let address: String
            let name: String
            let type: String
            /// A deletion's effect on the referrer.
            let effect: String
        }
    }
}
