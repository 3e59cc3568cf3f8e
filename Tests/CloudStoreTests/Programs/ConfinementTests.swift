import Foundation
import Testing

@testable import CloudStore

struct ConfinementTests {
    @Test("What confines programs is told, and what is missing with its consequence") func told() throws {
        let whole = Confinement(landlock: 7, seccomp: 0)
        #expect(whole.summary == "limits, seccomp, Landlock (version 7)" && whole.gap == nil)
        let old = Confinement(landlock: -ENOSYS, seccomp: 0)
        #expect(old.summary == "limits, seccomp")
        #expect(try #require(old.gap).hasPrefix("this kernel has no Landlock, so a decoder"))
        let off = try #require(Confinement(landlock: -EOPNOTSUPP, seccomp: 0).gap)
        #expect(off.hasPrefix("Landlock is switched off in this kernel"))
        let none = Confinement(landlock: -EPERM, seccomp: EINVAL)
        #expect(none.summary == "limits")
        let gap = try #require(none.gap)
        #expect(gap.hasPrefix("Landlock is refused by the filter around this process") && gap.contains("no seccomp"))
    }
}
