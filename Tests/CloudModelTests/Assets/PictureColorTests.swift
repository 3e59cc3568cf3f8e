import CloudModel
import Testing

struct PictureColorTests {
    @Test("A color has two bits of red, green and blue, and a name") func names() {
        #expect(PictureColor(red: 0, green: 63, blue: 0).name == "c00")
        #expect(PictureColor(red: 255, green: 192, blue: 255).name == "c3f")
        #expect(PictureColor(red: 64, green: 128, blue: 255).name == "c1b")
        for red in [UInt8(0), 64, 128, 192] {
            for green in [UInt8(0), 64, 128, 192] {
                for blue in [UInt8(0), 64, 128, 192] {
                    let color = PictureColor(red: red, green: green, blue: blue)
                    #expect(PictureColor(name: color.name) == color)
                }
            }
        }
    }

    @Test("Other names are none", arguments: ["", "c", "c0", "c000", "c40", "cff", "c3F", "b00", "c-1", "c+1", "c0g"])
    func others(name: String) { #expect(PictureColor(name: name) == nil) }
}
