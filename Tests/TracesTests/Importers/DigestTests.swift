import Testing
import Traces

@Suite("Keys")
struct DigestTests {
    private func digest(_ pieces: String...) -> UInt64 {
        var digest = Digest(seed: 1)
        for piece in pieces { digest.add(piece) }
        return digest.value
    }

    @Test("a digest is the same in every release, for workspaces keep it")
    func stable() {
        #expect(Digest.of("") == 6_814_626_083_154_725_610)
        #expect(Digest.of("msg_01AjAtmphJjr4oSLfTyzk8LA") == 665_921_207_724_387_660)
        #expect(Digest.of("abc", seed: 7) == 15_673_704_912_559_821_048)
    }

    @Test("where pieces end is part of their digest")
    func pieces() {
        #expect(digest("ab", "c") != digest("a", "bc"))
        #expect(digest("a") != digest("a", ""))
        #expect(digest("", "a") != digest("a", ""))
    }

    @Test("texts of every length that differ in one byte have different digests")
    func lengths() {
        var seen: Set<UInt64> = []
        for length in 0..<80 {
            let text = [UInt8](repeating: 0, count: length)
            text.withUnsafeBufferPointer { _ = seen.insert(Digest.of($0)) }
            for place in 0..<length {
                var other = text
                other[place] = 1
                other.withUnsafeBufferPointer { _ = seen.insert(Digest.of($0)) }
            }
        }
        #expect(seen.count == 80 + (0..<80).reduce(0, +))
    }

    @Test("a table finds what a dictionary finds", arguments: [1, 2, 3])
    func table(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var table = KeyTable()
        var twin: [UInt64: Int] = [:]
        for _ in 0..<5_000 {
            // Few low bits, so many keys compete for the same slot.
            let key = UInt64.random(in: 1...2_000, using: &random) << 20 | 5
            let value = Int.random(in: -5...1_000, using: &random)
            if Bool.random(using: &random) {
                table.set(key, value)
                twin[key] = value
            } else {
                #expect(table.insert(key, value) == (twin[key] == nil))
                if twin[key] == nil { twin[key] = value }
            }
            let other = UInt64.random(in: 1...2_000, using: &random) << 20 | 5
            #expect(table[other] == twin[other])
        }
        #expect(table.count == twin.count)
    }
}
