import CloudModel
import Testing

struct BoundedCacheTests {
    @Test("A full cache drops half of itself and keeps the newest entries")
    func dropsHalf() {
        var cache = BoundedCache<Int, String>(capacity: 10)
        for key in 1...10 { cache[key] = "\(key)" }
        #expect((1...10).allSatisfy { cache[$0] == "\($0)" })
        cache[11] = "11"
        #expect(cache[11] == "11")
        #expect((1...10).count { cache[$0] != nil } == 5)
        for key in 12...1000 {
            cache[key] = "\(key)"
            #expect(cache[key] == "\(key)")
        }
        #expect((1...1000).count { cache[$0] != nil } <= 10)
    }

    @Test("Updating or removing a known key evicts nothing")
    func knownKeys() {
        var cache = BoundedCache<Int, Int>(capacity: 4)
        for key in 1...4 { cache[key] = key }
        cache[2] = 20
        cache[9] = nil
        #expect([1, 2, 3, 4].map { cache[$0] } == [1, 20, 3, 4])
        cache[2] = nil
        cache[5] = 5
        #expect([1, 2, 3, 4, 5].map { cache[$0] } == [1, nil, 3, 4, 5])
        cache.removeAll()
        #expect((1...5).allSatisfy { cache[$0] == nil })
    }

    @Test("A cache without values works as a set")
    func set() {
        var cache = BoundedCache<String, Void>(capacity: 2)
        for name in ["a", "b", "a", "b"] { cache.insert(name) }
        #expect(cache.contains("a") && cache.contains("b") && !cache.contains("c"))
        cache.insert("c")
        #expect(cache.contains("c") && cache.contains("a") != cache.contains("b"))
    }
}
