import CloudModel
import Testing

@testable import CloudAssets

struct ZipLayoutTests {
    private func entry(_ name: String, _ size: UInt64) -> ZipEntry {
        ZipEntry(
            name: name, size: size, crc32: 0xDEAD_BEEF, modified: Timestamp(milliseconds: 1_700_000_000_000))
    }

    private func number(_ bytes: some Collection<UInt8>, at offset: Int, bytes count: Int) -> UInt64 {
        bytes.dropFirst(offset).prefix(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    @Test("The precomputed length equals that of the written zip") func computedLength() {
        let layout = ZipLayout([entry("ä.jpg", 10), entry("b.txt", 0)])
        let headers = layout.entries.reduce(0) { $0 + $1.localHeader.count }
        #expect(layout.totalSize == UInt64(headers + 10 + layout.directory().count))
    }

    @Test("A zip of small files has no Zip64 parts") func smallFiles() {
        let layout = ZipLayout([entry("a", 0xFFFF_0000)])
        #expect(layout.entries[0].localHeader.count == 31)
        #expect(number(layout.directory().suffix(22), at: 0, bytes: 4) == 0x0605_4B50)
        #expect(layout.directory().count == 47 + 22)
    }

    @Test("The size of a four-gigabyte file stands in the Zip64 extra field") func largeSize() {
        let header = entry("a", 0xFFFF_FFFF).localHeader
        #expect(number(header, at: 4, bytes: 2) == 45)
        #expect(number(header, at: 18, bytes: 4) == 0xFFFF_FFFF)
        #expect(number(header, at: 31, bytes: 2) == 1)
        #expect(number(header, at: 35, bytes: 8) == 0xFFFF_FFFF)
        #expect(number(header, at: 43, bytes: 8) == 0xFFFF_FFFF)
    }

    @Test("The offset of an entry past four gigabytes stands in the Zip64 extra field") func largeOffset() {
        let layout = ZipLayout([entry("a", 5 << 30), entry("b", 7)])
        let directory = layout.directory()
        let second = Array(directory.dropFirst(46 + 1 + 20))
        #expect(number(second, at: 20, bytes: 4) == 7)
        #expect(number(second, at: 42, bytes: 4) == 0xFFFF_FFFF)
        #expect(number(second, at: 47 + 2, bytes: 2) == 8)
        #expect(number(second, at: 47 + 4, bytes: 8) == UInt64(31 + 20) + 5 << 30)
        let end = Array(directory.suffix(22 + 20 + 56))
        #expect(number(end, at: 0, bytes: 4) == 0x0606_4B50)
        #expect(number(end, at: 48, bytes: 8) == layout.totalSize - UInt64(directory.count))
        #expect(number(end, at: 56, bytes: 4) == 0x0706_4B50)
        #expect(number(end, at: 76, bytes: 4) == 0x0605_4B50)
        #expect(number(end, at: 92, bytes: 4) == 0xFFFF_FFFF)
    }

    @Test("A zip of 70,000 files has its file count in a Zip64 record") func manyFiles() {
        let layout = ZipLayout((0..<70_000).map { entry("\($0)", 1) })
        let end = Array(layout.directory().suffix(22 + 20 + 56))
        #expect(number(end, at: 32, bytes: 8) == 70_000)
        #expect(number(end, at: 86, bytes: 2) == 0xFFFF)
    }

    @Test(
        "Dates in a zip have DOS format and range",
        arguments: [
            (1_700_000_000_000, UInt16(43 << 9 | 11 << 5 | 14), UInt16(22 << 11 | 13 << 5 | 10)),
            (0, UInt16(1 << 5 | 1), UInt16(0)),
            (Int64.max / 2, UInt16(1 << 5 | 1), UInt16(0)),
        ] as [(Int64, UInt16, UInt16)])
    func dates(milliseconds: Int64, date: UInt16, time: UInt16) {
        let moment = DOSDate(Timestamp(milliseconds: milliseconds))
        #expect(moment.date == date)
        #expect(moment.time == time)
    }
}
