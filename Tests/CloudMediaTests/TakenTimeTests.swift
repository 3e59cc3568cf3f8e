import CloudMedia
import CloudModel
import Testing

struct TakenTimeTests {
    /// 2026-06-14T23:30:00 as if it were UTC.
    private static let clock = Timestamp(wholeSeconds: 1_781_479_800)

    private func taken(_ bytes: [UInt8]) throws -> TakenTime? {
        try #require(MediaScan(MemorySource(bytes))).facts.taken
    }

    private func jpeg(_ exif: Exif, _ more: [UInt8]...) -> [UInt8] { Samples.jpeg([Samples.exif(exif)] + more) }

    @Test("The offset of a photo gives its moment; the clock stays as it was") func offset() throws {
        let taken = try #require(try taken(jpeg(Exif())))
        #expect(taken.clock == Self.clock && taken.zone == .offset(540) && taken.source == .exif)
        #expect(taken.moment == Self.clock - .seconds(9 * 3600))
    }

    @Test("Without an offset the satellites' time tells it, in quarters of an hour") func satellites() throws {
        #expect(try taken(jpeg(Exif(offset: nil, gps: Exif.berlin)))?.zone == .offset(540))
        let next: [Tag] = [.rational(7, (4, 1), (0, 1), (0, 1)), .ascii(29, "2026:06:15")]
        #expect(try taken(jpeg(Exif(offset: nil, gps: next)))?.zone == .offset(-270))
        let far: [Tag] = [.rational(7, (4, 1), (0, 1), (0, 1)), .ascii(29, "2026:06:18")]
        #expect(try taken(jpeg(Exif(offset: nil, gps: far)))?.zone == .unknown)
    }

    @Test("A clock without any offset has no moment") func none() throws {
        let taken = try #require(try taken(jpeg(Exif(offset: nil))))
        #expect(taken.clock == Self.clock && taken.zone == .unknown && taken.moment == nil)
    }

    @Test("XMP tells the offset of the same clock, and the time where EXIF has none") func xmp() throws {
        let packet = Samples.xmp(Samples.packet(attributes: "exif:DateTimeOriginal='2026-06-14T23:30:00.25-05:00'"))
        #expect(try taken(jpeg(Exif(offset: nil), packet))?.zone == .offset(-300))
        #expect(try taken(jpeg(Exif(offset: "+09:00"), packet))?.zone == .offset(540))
        let alone = try #require(try taken(Samples.jpeg([packet])))
        #expect(alone.source == .xmp && alone.clock == Self.clock + .milliseconds(250))
    }

    @Test(
        "A time that no clock shows is no time",
        arguments: [
            "0000:00:00 00:00:00", "2026:02:29 10:00:00", "2026:06:14 24:00:00", "2026:13:01 00:00:00", "    :  :     ",
            "2026:06:14", "",
        ])
    func falseTimes(text: String) throws {
        #expect(try taken(jpeg(Exif(time: text))) == nil)
    }

    @Test("A video's own date has an offset; its header is UTC") func videos() throws {
        let header = try #require(try taken(Samples.movie(Samples.Movie())))
        #expect(header.zone == .utcOnly && header.source == .movieHeader)
        #expect(header.clock == Timestamp(wholeSeconds: 3_866_000_000 - 2_082_844_800))
        let keys = [("com.apple.quicktime.creationdate", "2026-06-14T23:30:00+0900")]
        let own = try #require(try taken(Samples.movie(Samples.Movie(keys: keys))))
        #expect(own.clock == Self.clock && own.zone == .offset(540) && own.source == .quickTime)
    }
}
